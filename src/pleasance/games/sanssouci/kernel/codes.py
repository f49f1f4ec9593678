"""The compiled twin by numbers: legal codes, playing a code, weights of outcomes, scores."""

from __future__ import annotations

from pleasance.compiled.jit import count_bits, jit, lowest_bit
from pleasance.compiled.kernel import ALL, DRAW, OVER, Flat, Shares
from pleasance.compiled.rng import Luck, below
from pleasance.games.sanssouci.kernel import rules as turns
from pleasance.games.sanssouci.kernel.layout import (
    ACTOR,
    AHEAD,
    BAG,
    BOAR,
    BUILT,
    COLUMN_BONUS,
    DECK,
    EMPTIED,
    GARDENERS,
    HAND,
    MISSIONS,
    PHASE,
    ROW_BONUS,
    SEATS,
)
from pleasance.games.sanssouci.kernel.playout import play_randomly
from pleasance.games.sanssouci.kernel.rules import (
    CARD,
    CELLS,
    CHASE,
    COLUMN_A,
    EVERYWHERE,
    FIRST_ROW,
    MOTIFS,
    PLACE,
    REFILL,
    SPACES,
    TAKE,
    WALK,
    after_walk,
    boar_steps,
    gardener_cells,
    lay,
    neighbors,
    points_of,
    seat_block,
    spaces_for,
    take,
    walk,
    walks,
)
from pleasance.games.sanssouci.kernel.setup import (
    DEAL,
    FILL,
    FIRST_PLAYER,
    GARDEN,
    MISSION,
    OUTCOME_CARD,
    OUTCOME_GARDEN,
    OUTCOME_MISSION,
    OUTCOME_REWARDS,
    OUTCOME_TILE,
    SIDES,
    choose_side,
    draw,
    setup_choices,
)

# Where the codes of each kind of choice begin.
CODE_PLACE, CODE_WALK, CODE_STAY, CODE_SIDE, CODE_BOAR = 200, 254, 308, 309, 311
MOST_CHOICES = CELLS + 1


@jit
def turn(state: Flat) -> int:
    """Tell the seat that chooses alone, or that all choose, chance decides, or it is over."""
    phase = state[PHASE]
    if phase == SIDES:
        return ALL
    if phase == turns.OVER:
        return OVER
    return state[ACTOR] if TAKE <= phase <= WALK else DRAW


@jit
def list_codes(cells: int, first: int, codes: Flat) -> int:
    """List the members of a set as codes."""
    count = 0
    while cells:
        codes[count] = first + lowest_bit(cells)
        cells &= cells - 1
        count += 1
    return count


@jit
def legal(_box: Flat, state: Flat, seat: int, codes: Flat) -> int:
    """List the codes that *seat* may choose, in order."""
    phase = state[PHASE]
    if phase == SIDES:
        return list_codes(3, CODE_SIDE, codes)
    if seat != state[ACTOR] or phase < TAKE or phase > WALK:
        return 0
    block = seat_block(seat)
    if phase == TAKE:
        return list_takes(state, state[block + HAND], codes)
    if phase == PLACE:
        return list_codes(gardener_cells(state, block), CODE_PLACE, codes)
    if phase == CHASE:
        return list_codes(boar_steps(state, block), CODE_BOAR, codes)
    count = list_codes(walks(state, block), CODE_WALK, codes)
    codes[count] = CODE_STAY
    return count + 1


@jit
def list_takes(state: Flat, hand: int, codes: Flat) -> int:
    """List each card in hand with each tile it may take (S-12)."""
    count = 0
    while hand:
        card = lowest_bit(hand)
        spaces = spaces_for(state, card)
        while spaces:
            codes[count] = card * SPACES + lowest_bit(spaces)
            spaces &= spaces - 1
            count += 1
        hand &= hand - 1
    return count


@jit
def play(box: Flat, state: Flat, codes: Flat) -> None:
    """Carry out the choices of all, or of the actor."""
    if state[PHASE] == SIDES:
        for seat in range(state[SEATS]):
            choose_side(state, seat, codes[seat] - CODE_SIDE)
        return
    code = codes[state[ACTOR]]
    if code < CODE_PLACE:
        take(box, state, code // SPACES, code % SPACES)
    elif code < CODE_WALK:
        lay(box, state, code - CODE_PLACE, 1)
    elif code < CODE_STAY:
        walk(box, state, code - CODE_WALK)
    elif code == CODE_STAY:
        after_walk(state)
    else:
        state[seat_block(state[ACTOR]) + BOAR] = code - CODE_BOAR
        state[PHASE] = WALK


@jit
def chances(_box: Flat, state: Flat, weights: Flat) -> None:
    """Weigh the outcomes of the draw that is due."""
    weights[:] = 0
    phase = state[PHASE]
    if phase in (REFILL, FILL):
        first = OUTCOME_TILE + state[EMPTIED] * MOTIFS
        for motif in range(MOTIFS):
            weights[first + motif] = state[BAG + motif]
        return
    if phase in (CARD, DEAL):
        possible, first = state[seat_block(state[ACTOR]) + DECK], OUTCOME_CARD
    else:
        possible, first = setup_choices(state), first_code(phase)
    while possible:
        weights[first + lowest_bit(possible)] = 1
        possible &= possible - 1


@jit
def first_code(phase: int) -> int:
    """Find where the codes of a set-up draw begin."""
    if phase == FIRST_PLAYER:
        return 0
    if phase == GARDEN:
        return OUTCOME_GARDEN
    return OUTCOME_MISSION if phase == MISSION else OUTCOME_REWARDS


@jit
def playout(box: Flat, state: Flat, luck: Luck) -> None:
    """Play to the end, all choices and draws at random."""
    while state[PHASE] < TAKE:
        if state[PHASE] == SIDES:
            for seat in range(state[SEATS]):
                choose_side(state, seat, below(luck, 2))
        else:
            draw(box, state, luck)
    play_randomly(box, state, luck)


@jit
def playouts(box: Flat, positions: Flat, luck: Luck) -> None:
    """Play many positions to the end, each with its own luck."""
    for game in range(len(positions)):
        playout(box, positions[game], luck[game])


@jit
def scores(box: Flat, state: Flat, points: Flat) -> None:
    """Count each seat's points, the end scoring included once the game is over (S-18)."""
    for seat in range(state[SEATS]):
        block = seat_block(seat)
        points[seat] = points_of(state, block)
        if state[PHASE] == turns.OVER:
            points[seat] += endgame(box, state, block, points[seat])


@jit
def endgame(box: Flat, state: Flat, block: int, points: int) -> int:
    """Count what the end brings: rows, columns, missions, then the boar (S-18, S-26)."""
    free = EVERYWHERE & ~state[block + BUILT]
    bonus = 0
    for row in range(6):
        if not free & (FIRST_ROW << (MOTIFS * row)):
            bonus += box[ROW_BONUS + row]
    for column in range(MOTIFS):
        if not free & (COLUMN_A << column):
            bonus += box[COLUMN_BONUS]
        if (state[block + MISSIONS] >> column) & 1:
            bonus += 6 - count_bits(state[block + AHEAD] & (COLUMN_A << column))
    if state[block + BOAR] >= 0:
        bonus -= min(boar_area(free, state[block + BOAR]), points + bonus)
    return bonus


@jit
def boar_area(free: int, boar: int) -> int:
    """Count the free cells around the boar, its own included (S-26)."""
    reached = 1 << boar
    grown = reached
    while grown:
        grown = neighbors(grown) & free & ~reached
        reached |= grown
    return count_bits(reached)


@jit
def shares(box: Flat, state: Flat, won: Shares) -> None:
    """Share one victory among those with most points and, of these, most gardeners (S-19)."""
    best = -1
    count = 0
    for seat in range(state[SEATS]):
        standing = stand(box, state, seat)
        count = count + 1 if standing == best else 1 if standing > best else count
        best = max(best, standing)
    for seat in range(state[SEATS]):
        won[seat] = 1.0 / count if stand(box, state, seat) == best else 0.0


@jit
def stand(box: Flat, state: Flat, seat: int) -> int:
    """Weigh a seat's points and, below them, its gardeners in one number (S-19)."""
    block = seat_block(seat)
    points = points_of(state, block)
    if state[PHASE] == turns.OVER:
        points += endgame(box, state, block, points)
    return points * 64 + count_bits(state[block + GARDENERS])
