"""The rules of Sakura: what happens next, what may be chosen, and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence

from pleasance.core.bits import SubsetLookup, bits
from pleasance.core.errors import IllegalActionError
from pleasance.core.game import Choose, Draw, Over, Seat, Turn
from pleasance.core.tuples import with_item
from pleasance.games.sakura.rules.actions import (
    DRAWS,
    SPACE,
    Choice,
    Dealt,
    Direction,
    Heading,
    Play,
    PlayBoth,
)
from pleasance.games.sakura.rules.components import CARDS, SEATS, Box, Card
from pleasance.games.sakura.rules.moves import CardResolver
from pleasance.games.sakura.rules.path import GATE, Places
from pleasance.games.sakura.rules.scoring import close_ranks, enter_pay, rank_pay
from pleasance.games.sakura.rules.state import ALL_CARDS, Cards, State, new_state

TACTICAL = "tactical"
"""The option for the tactical variant (K-23)."""

LAST_SAKURA = 3
"""Sakura scored when the game is over (K-21)."""

# Turns, choices and outcomes are made once. There is no card 0, so that sets of cards are shifted
# by one before their members are picked.
_SEATS = tuple(map(Seat, range(SEATS.stop)))
_ALL_CHOOSE = tuple(Choose(_SEATS[:count]) for count in range(SEATS.stop))
_ONE_CHOOSES = tuple(Choose((seat,)) for seat in _SEATS)
_ONE_DRAWS = tuple(Draw(seat) for seat in _SEATS)
_COURT_DRAWS = Draw(None)
_OVER = Over()
_NUMBERS = SubsetLookup(CARDS)
_PLAYS = SubsetLookup(SPACE.block(Play), width=12)
_PAIRS = {(pair.own, pair.court): pair for pair in SPACE.block(PlayBoth)}
_DIRECTIONS = SPACE.block(Direction)
_CHANCES = SubsetLookup([(outcome, 1) for outcome in DRAWS], width=12)


def start(box: Box, seats: int) -> State:
    """Put the Emperor on the torii and all painters in the gate; deal the hands (K-5, K-22)."""
    painters = 3 if seats == 2 else seats  # noqa: PLR2004  (two players and the court painter)
    ledger = (box.tokens, 0, 0, 0, 0)
    return State(
        box=box,
        number=0,
        emperor=box.paths[seats].torii,
        painters=(GATE,) * painters,
        ledgers=(ledger,) * painters,
        scored=0,
        hands=(0,) * seats,
        deck=ALL_CARDS,
        discards=0,
        decks=(ALL_CARDS,),
        played=(),
        done=0,
        draws=tuple(seat for seat in _SEATS[:seats] for _ in range(box.hand)),
    )


def number(state: State) -> int:
    """Return the number of the round, from 1; 0 during set-up."""
    return state.number


def turn(state: State) -> Turn:
    """Find what happens next: all choose, the cards are carried out, all draw (K-6)."""
    if state.draws:
        return _ONE_DRAWS[state.draws[0]]
    if not state.played:
        return _OVER if state.scored == LAST_SAKURA else _ALL_CHOOSE[len(state.hands)]
    if len(state.played) < len(state.painters):
        return _COURT_DRAWS
    return _ONE_CHOOSES[find_owner(state)]


def legal(state: State, seat: Seat) -> tuple[Choice, ...]:
    """List what *seat* may choose: its cards (K-6, K-23), or both directions (K-7)."""
    if state.draws or state.scored == LAST_SAKURA:
        return ()
    if state.played:
        is_asked = len(state.played) == len(state.painters) and seat == find_owner(state)
        return _DIRECTIONS if is_asked else ()
    hand = state.hands[seat]
    if seat != find_giver(state.box, state.painters):
        return _PLAYS.pick(hand >> 1)
    cards = _NUMBERS.pick(hand >> 1)
    return tuple([_PAIRS[own, court] for own in cards for court in cards if own != court])


def play(state: State, choices: Sequence[Choice]) -> State:
    """Carry out the cards that all have chosen, or the direction that one has (K-6, K-7)."""
    if state.scored == LAST_SAKURA or _is_drawing(state):
        raise IllegalActionError("nothing_to_choose")
    seats = 1 if state.played else len(state.hands)
    if len(choices) != seats:
        raise IllegalActionError("choices", given=len(choices), seats=seats)
    if not state.played:
        return _play_cards(state, choices)
    choice = choices[0]
    if not isinstance(choice, Direction):
        raise IllegalActionError("choose_direction", token=str(choice))
    return _resolve_round(state, choice.heading)


def chances(state: State) -> tuple[tuple[Dealt, int], ...]:
    """List the cards that can be drawn; an empty deck is rebuilt from the discards (K-6)."""
    if not _is_drawing(state):
        return ()
    return _CHANCES.pick((state.deck or state.discards) >> 1)


def reveal(state: State, outcome: Dealt) -> State:
    """Take a drawn card into a hand, or let the court painter play it (K-6, K-22)."""
    if not _is_drawing(state):
        raise IllegalActionError("nothing_to_draw")
    if not state.deck:
        state = _refill_deck(state)
    # Most steps of a game are draws, and _replace would take four times as long.
    box, number, emperor, painters, ledgers, scored, hands, deck, discards, decks = state[:10]
    played, draws, card = state.played, state.draws, outcome.card
    if not deck >> card & 1:
        raise IllegalActionError("not_in_deck", card=card)
    deck ^= 1 << card
    if not draws:
        played = (*played, card)
        court_played = new_state(*state[:7], deck, discards, decks, played, 0, ())
        return _resolve_round(court_played, None)
    seat, draws = draws[0], draws[1:]
    hands = with_item(hands, seat, hands[seat] | 1 << card)
    number += not draws
    return new_state(
        box, number, emperor, painters, ledgers, scored, hands, deck, discards, decks, (), 0, draws
    )


def _refill_deck(state: State) -> State:
    """Make a new deck of the discards (K-6)."""
    new = state.discards
    return state._replace(deck=new, discards=0, decks=(*state.decks, new))


def _is_drawing(state: State) -> bool:
    """Check whether a card is drawn next, for a hand or for the court painter."""
    return bool(state.draws) or 0 < len(state.played) < len(state.painters)


def find_giver(box: Box, painters: Places) -> Seat | None:
    """Find who plays a card for the court painter: the player further from the Emperor (K-23).

    With both players in the gate the card comes from the deck.
    """
    if TACTICAL not in box.options:
        return None
    first, second, _court = painters
    if first == second:
        return None
    return _SEATS[0] if first < second else _SEATS[1]


def find_owner(state: State) -> int:
    """Find the painter whose card is being carried out (K-6)."""
    return state.played.index(sorted(state.played)[state.done // 2])


def _play_cards(state: State, choices: Sequence[Choice]) -> State:
    """Put the chosen cards on the table (K-6, K-23)."""
    box, number, emperor, painters, ledgers, scored, held, deck, discards, decks = state[:10]
    giver = find_giver(box, painters)
    left = list(held)
    own: list[Card] = []
    given: list[Card] = []
    for seat, choice in enumerate(choices):
        if isinstance(choice, Play) and seat != giver:
            card = choice.card
        elif isinstance(choice, PlayBoth) and seat == giver:
            card = choice.own
            if card == choice.court:
                raise IllegalActionError("same_card_twice", card=card)
            given.append(choice.court)
            left[seat] = _take(left[seat], choice.court)
        else:
            wanted = "play_two_cards" if seat == giver else "play_one_card"
            raise IllegalActionError(wanted, token=str(choice))
        own.append(card)
        left[seat] = _take(left[seat], card)
    hands, played = tuple(left), (*own, *given)
    state = new_state(
        box, number, emperor, painters, ledgers, scored, hands, deck, discards, decks, played, 0, ()
    )
    return state if len(played) < len(painters) else _resolve_round(state, None)


def _take(hand: Cards, card: Card) -> Cards:
    """Take a card out of a hand."""
    if not hand >> card & 1:
        raise IllegalActionError("not_in_hand", card=card, hand=" ".join(map(str, bits(hand))))
    return hand ^ 1 << card


def _resolve_round(state: State, heading: Heading | None) -> State:
    """Carry out the cards from the lowest number to the highest (K-6).

    Stop where an owner must choose a direction (K-7); *heading* is the answer to the last stop. The
    court painter always goes forward (K-22).
    """
    resolver = CardResolver(state)
    box, played, done = state.box, state.played, state.done
    players = len(state.hands)
    for card in sorted(played)[done // 2 :]:
        owner = played.index(card)
        for action in box.faces[card][done % 2 :]:
            if action.is_free and owner < players:
                if heading is None:
                    return _pause_for_direction(state, resolver, done)
                resolver.carry_out(owner, action.toward(heading))
                heading = None
            else:
                resolver.carry_out(owner, action)
            done += 1
        if resolver.emperor == resolver.sakura:
            break
    return _end_round(state, resolver)


def _pause_for_direction(state: State, resolver: CardResolver, done: int) -> State:
    """Wait for a direction, with some actions *done* (K-7)."""
    box, number, _, _, _, scored, hands, deck, discards, decks, played, _, _ = state
    emperor, painters, ledgers = resolver.standings()
    table = (played, done)
    return new_state(
        box, number, emperor, painters, ledgers, scored, hands, deck, discards, decks, *table, ()
    )


def _end_round(state: State, resolver: CardResolver) -> State:
    """Score where the Emperor has stopped for it, discard all cards, and let everyone draw.

    Cards that were not resolved are discarded too (K-18); nothing follows the last scoring (K-21).
    """
    box, number, _, _, _, scored, hands, deck, discards, decks, played, _, draws = state
    emperor, painters, ledgers = resolver.standings()
    if emperor == resolver.sakura:
        paid = rank_pay(painters, box.pay[len(painters)][scored])
        ledgers = enter_pay(ledgers, paid, scored)
        scored += 1
        painters = close_ranks(painters) if scored < LAST_SAKURA else painters
    for card in played:
        discards |= 1 << card
    if scored < LAST_SAKURA:
        draws = _list_draws(box, hands)
    return new_state(
        box, number, emperor, painters, ledgers, scored, hands, deck, discards, decks, (), 0, draws
    )


def _list_draws(box: Box, hands: tuple[Cards, ...]) -> tuple[Seat, ...]:
    """Let all draw in seat order; who has played two cards draws one more (K-6, K-23)."""
    draws = _SEATS[: len(hands)]
    if TACTICAL not in box.options:
        return draws
    first, second = hands[0].bit_count(), hands[1].bit_count()
    if first == second:
        return draws
    return (*draws, draws[0] if first < second else draws[1])
