"""What the network sees in a position, compiled: which word stands at each place.

A look has three steps: `begin` (who looks at whom, and when), `see_market` (cards and tiles once a
card was played and a tile taken), `see_garden` (a garden as a whole turn leaves it). The later
steps can be repeated; each corrects what has changed and little else.
"""

from __future__ import annotations

from pleasance.compiled.jit import count_bits, jit, lowest_bit
from pleasance.compiled.kernel import Flat
from pleasance.games.sanssouci.bots.network import feature_index as say
from pleasance.games.sanssouci.bots.network.accumulator import (
    AHEAD,
    BOAR,
    BUILT,
    CARDS,
    CHANCE,
    COMING,
    GARDENERS,
    HELD,
    KNOWS,
    LEFT,
    LINKS,
    MISSIONS,
    NEXT,
    SHOWN,
    SIDE,
    STALE,
    TAKEN,
    TIME,
    WALKED,
    put,
    wipe,
)
from pleasance.games.sanssouci.bots.network.expansion_features import (
    SPACE_CARDS,
    class_bed,
    see_boar,
    see_rewards,
    see_tiles,
)
from pleasance.games.sanssouci.bots.network.threat_features import see_helps, see_hopes, see_threats
from pleasance.games.sanssouci.kernel import layout as at
from pleasance.games.sanssouci.kernel.afterstates import (
    AFTER_AHEAD,
    AFTER_BOAR,
    AFTER_BUILT,
    AFTER_GARDENERS,
)
from pleasance.games.sanssouci.kernel.rules import (
    COLUMN_A,
    EVERYWHERE,
    FIRST_ROW,
    FREE_CHOICE,
    MOTIFS,
    SPACES,
    neighbors,
    promenade,
    seat_block,
)

PLAYED, IN_DECK, IN_HAND, HIDDEN = range(4)
HALF = say.TIMES // 2


@jit
def begin(sheet: Flat, box: Flat, state: Flat, seat: int, knows: int, wait: int, left: int) -> None:
    """Begin to look at the garden of *seat*, which has so many turns left and waits for so many.

    With *knows* its hand and missions are seen, else only what everybody sees.
    """
    block = seat_block(seat)
    wipe(sheet)
    time = say.TIME[left]
    sheet[STALE] = 2
    sheet[LEFT], sheet[TIME] = left, time
    sheet[MISSIONS], sheet[KNOWS] = state[block + at.MISSIONS], knows
    sheet[SIDE] = state[block + at.REWARDS_SIDE]
    role = (state[at.SEATS] - 2) * 4 + wait - 1
    put(sheet, say.AT_ROLE, say.ROLE + role * 2 + knows)
    put(sheet, say.AT_TURN, say.TURN + left)
    option = box[at.HAS_REWARDS] * 2 + box[at.HAS_BOARS]
    put(sheet, say.AT_OPTION, say.OPTION + option * say.TIMES + time)
    see_threats(sheet, state, seat, wait)


@jit
def see_market(sheet: Flat, state: Flat, seat: int, hand: int, taken: int) -> None:
    """See the main board without the tile of space *taken*, and the cards left with *hand* kept."""
    block = seat_block(seat)
    deck = state[block + at.DECK]
    if not sheet[KNOWS]:
        deck |= hand
        hand = 0
    sheet[STALE] = max(sheet[STALE], 1)
    sheet[TAKEN], sheet[HELD], sheet[COMING] = taken, hand, deck
    for motif in range(MOTIFS):
        sheet[CARDS + motif] = find_card(sheet, hand, deck, motif)
        sheet[SHOWN + motif] = 0
    shown = 0
    for space in range(SPACES):
        motif = state[at.MARKET + space]
        if motif >= 0 and space != taken:
            shown |= 1 << motif
            sheet[SHOWN + motif] += 1
    for card in range(MOTIFS, FREE_CHOICE + 1):
        where = find_card(sheet, hand, deck, card)
        put(sheet, say.AT_PAIR + card - MOTIFS, say.PAIR + (card - MOTIFS) * 4 + where)
    idle = ~shown & FIRST_ROW
    size = max(count_bits(deck), 1)
    for space in range(SPACES):
        motif = state[at.MARKET + space]
        if motif >= 0 and space != taken:
            takers = SPACE_CARDS[space] | idle | (1 << motif)
            sheet[CHANCE + space] = rate(
                sheet[KNOWS], takers & hand, count_bits(takers & deck), size
            )


@jit
def find_card(sheet: Flat, hand: int, deck: int, card: int) -> int:
    """Tell where a card is, as far as one can see."""
    if (hand >> card) & 1:
        return IN_HAND
    if (deck >> card) & 1:
        return IN_DECK if sheet[KNOWS] else HIDDEN
    return PLAYED


@jit
def rate(knows: int, held: int, count: int, size: int) -> int:
    """Class how likely a tile can be taken: by a card in hand, or by so many of a deck."""
    if held:
        return 0
    part = 0 if count == 0 else 1 if 7 * count <= size else 2 if 3 * count <= size else 3
    return 1 + part if knows else 5 + part


@jit
def see_garden(sheet: Flat, box: Flat, state: Flat, garden: Flat) -> None:
    """See a garden, given as a row of afterstates."""
    built, gardeners = garden[AFTER_BUILT], garden[AFTER_GARDENERS]
    ahead = garden[AFTER_AHEAD]
    columns = FIRST_ROW
    if sheet[STALE] == 2 or built != sheet[BUILT] or gardeners != sheet[GARDENERS]:
        walked = promenade(built)
        fresh = neighbors(walked) & ~built
        links = fresh & neighbors(built & ~walked)
        changed = EVERYWHERE
        if sheet[STALE] < 2:
            changed = (
                (built ^ sheet[BUILT]) | (gardeners ^ sheet[GARDENERS]) | (ahead ^ sheet[AHEAD])
            )
            changed |= (walked ^ sheet[WALKED]) | (fresh ^ sheet[NEXT]) | (links ^ sheet[LINKS])
        sheet[BUILT], sheet[GARDENERS], sheet[AHEAD] = built, gardeners, ahead
        sheet[WALKED], sheet[NEXT], sheet[LINKS] = walked, fresh, links
        see_rows(sheet)
        see_boar(sheet, box, garden[AFTER_BOAR])
    else:
        changed = ahead ^ sheet[AHEAD]
        if not sheet[STALE]:
            columns = fold(changed)
        sheet[AHEAD] = ahead
        if garden[AFTER_BOAR] != sheet[BOAR]:
            see_boar(sheet, box, garden[AFTER_BOAR])
    sheet[BOAR] = garden[AFTER_BOAR]
    sheet[STALE] = 0
    see_cells(sheet, changed & ~FIRST_ROW)
    see_columns(sheet, state, columns)
    see_stops(sheet)
    see_tiles(sheet, box, state)
    see_hopes(sheet)
    see_helps(sheet, state)
    if sheet[SIDE] >= 0:
        see_rewards(sheet, box)


@jit
def fold(cells: int) -> int:
    """Collect the columns of cells."""
    cells |= cells >> 27
    return (cells | (cells >> 9) | (cells >> 18)) & FIRST_ROW


@jit
def stack(cells: int, column: int) -> int:
    """Collect the rows, from bit 0, of the cells in one column."""
    bits = (cells >> column) & COLUMN_A
    bits |= bits >> 24
    return (bits | (bits >> 8) | (bits >> 16)) & 63


@jit
def class_cell(sheet: Flat, cell: int) -> int:
    """Class a cell: free or built, joined to the paths or not, ahead of its noble or not."""
    is_built, is_joined = (sheet[BUILT] >> cell) & 1, (sheet[WALKED] >> cell) & 1
    is_ahead = (sheet[AHEAD] >> cell) & 1
    if not is_built:
        return class_bed(sheet, cell) + 3 * is_ahead
    if not is_ahead:
        return 6 + is_joined
    return 8 + is_joined + 2 * ((sheet[GARDENERS] >> cell) & 1)


@jit
def see_cells(sheet: Flat, changed: int) -> None:
    """See each cell that has changed."""
    while changed:
        cell = lowest_bit(changed)
        changed &= changed - 1
        word = say.CELL + (cell - 9) * say.KINDS + class_cell(sheet, cell)
        put(sheet, say.AT_CELL + cell - 9, word)


@jit
def see_columns(sheet: Flat, state: Flat, columns: int) -> None:
    """See in some columns where the noble can stop, what can be built, and by which means."""
    free = EVERYWHERE & ~sheet[BUILT]
    standing = sheet[AHEAD] & sheet[WALKED] & ~sheet[GARDENERS]
    while columns:
        column = lowest_bit(columns)
        columns &= columns - 1
        left = count_bits(sheet[AHEAD] & (COLUMN_A << column))
        stops = (1 << left) - 1 + (stack(standing, column) >> (6 - left))
        mission = (sheet[MISSIONS] >> column) & 1 if sheet[KNOWS] else 2
        put(sheet, say.AT_STOPS + column, say.STOPS + stops * 3 + mission)
        card, shown = sheet[CARDS + column], min(sheet[SHOWN + column], 2)
        beds = ((stack(free & sheet[AHEAD], column) >> 1) * 4 + card) * 3 + shown
        put(sheet, say.AT_BEDS + column, say.BEDS + beds)
        gaps = min(count_bits(free & (COLUMN_A << column)), 5)
        bag = state[at.BAG + column]
        rest = bag if bag < 2 else 2 if bag < 4 else 3
        put(sheet, say.AT_SUPPLY + column, say.SUPPLY + (gaps * 4 + card) * 4 + rest)
        put(sheet, say.AT_COLUMN + column, say.COLUMN + gaps * HALF + sheet[TIME] // 2)


@jit
def see_rows(sheet: Flat) -> None:
    """See how many cells each row lacks."""
    free = EVERYWHERE & ~sheet[BUILT]
    for row in range(5):
        gaps = min(count_bits(free & (FIRST_ROW << (9 * row + 9))), 6)
        word = say.ROW + (row * 7 + gaps) * HALF + sheet[TIME] // 2
        put(sheet, say.AT_ROW + row, word)


@jit
def see_stops(sheet: Flat) -> None:
    """See how many stops the nobles have in each row, and whether there is time for all."""
    standing = sheet[AHEAD] & sheet[WALKED] & ~sheet[GARDENERS]
    half = sheet[TIME] // 2
    for row in range(6):
        stops = min(count_bits(standing & (FIRST_ROW << (9 * row))), 5)
        put(sheet, say.AT_OPEN + row, say.OPEN + (row * 6 + stops) * HALF + half)
    slack = (
        min(max(count_bits(standing & ~(FIRST_ROW | (FIRST_ROW << 9))) - sheet[LEFT], -6), 6) + 6
    )
    put(sheet, say.AT_SLACK, say.SLACK + slack * HALF + half)
