"""The refusals of choices: the most helpful reason for each."""

from __future__ import annotations

from pleasance.core.bits import bits
from pleasance.core.errors import IllegalActionError
from pleasance.games.sanssouci.rules.actions import (
    Action,
    Boar,
    Place,
    Space,
    Take,
    Walk,
    space_name,
)
from pleasance.games.sanssouci.rules.components import (
    Card,
    Motif,
    card_name,
    card_rows,
    motif_letter,
)
from pleasance.games.sanssouci.rules.garden import (
    Cell,
    cell_name,
    cell_names,
    column_of,
    promenade,
    row_of,
)
from pleasance.games.sanssouci.rules.moves import boar_steps, gardener_cells, spaces_for
from pleasance.games.sanssouci.rules.state import Garden, Phase, State, noble_row

_DUE = {
    Phase.SIDES: "side",
    Phase.TAKE: "take",
    Phase.PLACE: "place",
    Phase.BOAR: "boar",
    Phase.WALK: "walk",
}


def refusal(state: State, action: Action) -> IllegalActionError:
    """Say why the actor may not choose *action*."""
    garden = state.gardens[state.actor]
    match state.phase, action:
        case Phase.TAKE, Take(card, space):
            return _refuse_take(state, card, space)
        case Phase.PLACE, Place(cell):
            return _refuse_place(garden, state.tile, cell)
        case Phase.BOAR, Boar(cell):
            steps = cell_names(boar_steps(garden))
            return IllegalActionError("boar_step", cell=cell_name(cell), cells=steps)
        case Phase.WALK, Walk(cell):
            return _refuse_walk(garden, cell)
        case _:
            due = _DUE.get(state.phase, "draw")
            return IllegalActionError("not_now", action=str(action), due=due)


def _refuse_take(state: State, card: Card, space: Space) -> IllegalActionError:
    """Say why a card may not be played or not take that tile (S-12)."""
    hand = state.hands[state.actor]
    if not hand >> card & 1:
        held = " ".join(card_name(Card(number)) for number in bits(hand))
        return IllegalActionError("not_in_hand", card=card_name(card), hand=held)
    open_spaces = (Space(number) for number in bits(spaces_for(card, state.market)))
    spaces = " ".join(space_name(number) for number in open_spaces)
    params = {"card": card_name(card), "space": space_name(space), "spaces": spaces}
    kind, (one, other) = ("motif", (0, 0)) if card < len(Motif) else ("rows", card_rows(card))
    return IllegalActionError("not_its_tile", **params, kind=kind, one=one, other=other)


def _refuse_place(garden: Garden, tile: Cell, cell: Cell) -> IllegalActionError:
    """Say why a gardener may not stand there (S-14)."""
    if garden.built >> cell & 1:
        return IllegalActionError("cell_occupied", cell=cell_name(cell))
    cells = cell_names(gardener_cells(garden, tile))
    row, column = row_of(tile), column_of(tile) + 1
    return IllegalActionError(
        "out_of_line", cell=cell_name(cell), row=row, column=column, cells=cells
    )


def _refuse_walk(garden: Garden, cell: Cell) -> IllegalActionError:
    """Say why a noble may not end its walk there (S-15)."""
    column, row = column_of(cell), row_of(cell)
    noble = motif_letter(Motif(column))
    stands = noble_row(garden, column)
    if row <= stands:
        return IllegalActionError("walk_not_lower", noble=noble, row=row, stands=stands)
    if not garden.built >> cell & 1:
        return IllegalActionError("walk_not_built", noble=noble, cell=cell_name(cell))
    if garden.gardeners >> cell & 1:
        return IllegalActionError("walk_on_gardener", noble=noble, cell=cell_name(cell))
    assert not promenade(garden.built) >> cell & 1, (garden, cell)
    return IllegalActionError("walk_no_path", noble=noble, cell=cell_name(cell))
