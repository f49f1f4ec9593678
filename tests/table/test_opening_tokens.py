"""Opening tokens: a game continues from a given position, and its record says so."""

from __future__ import annotations

from random import Random

import pytest

from conformance import Configuration, every_configuration, find_configuration, play_game
from conformance.rooms import NONCE, OWNER, RoomPair, make_config
from conformance.tables import choose_at_random, play_to_end, random_opening, start_table
from pleasance.core.errors import BadRecordError, IllegalActionError, UnfairDrawError
from pleasance.core.game import Choose, Draw, Over, Seat
from pleasance.core.record import DRAW_PREFIX, Record, parse_record, write_record
from pleasance.core.steps import Drew, full_tokens
from pleasance.core.tags import read_opening
from pleasance.core.verify import verify
from pleasance.table import commands
from pleasance.table.entries import ChooseEntry, DrawEntry
from pleasance.table.opening_tokens import cut_opening, replay_opening

PARTS = (0.1, 0.5, 0.9)


@every_configuration
def test_a_branch_begins_where_the_other_game_stood(config: Configuration) -> None:
    played = play_game(config, 7)
    for part in PARTS:
        steps = int(part * (len(played.steps) - 1)) or 1
        table = start_table(config, 8, opening=cut_opening(config.game, played.record, steps))
        assert tuple(list(table.past_steps())[:steps]) == played.steps[:steps]
        state = played.steps[steps - 1].after
        if isinstance(config.game.turn(state), Choose):
            assert [table.view(seat) for seat in config.viewers] == [
                config.game.view(state, seat) for seat in config.viewers
            ]
            assert table.log == ()
        else:
            assert isinstance(table.log[0], DrawEntry)
            assert table.log[0].index == 1


@every_configuration
def test_the_record_of_a_branch_says_what_was_given_and_the_rest_verifies(
    config: Configuration,
) -> None:
    opening = random_opening(config, 5, 0.4)
    table = play_to_end(start_table(config, 5, opening=opening), Random(5))
    record = table.full_record()
    assert record.texts()[: len(opening)] == opening
    assert read_opening(record) == len(opening)
    verdict = verify(config.game, parse_record(write_record(record)))
    assert verdict.given == sum(token.startswith(DRAW_PREFIX) for token in opening)
    assert verdict.draws == sum(isinstance(entry, DrawEntry) for entry in table.log)
    for seat in config.viewers:
        assert read_opening(table.record_for(seat)) == len(opening)


def test_without_its_tag_a_branch_does_not_verify() -> None:
    config = find_configuration("sakura-3")
    record = play_to_end(
        start_table(config, opening=random_opening(config, 5, 0.4)), Random(5)
    ).full_record()
    tags = {name: text for name, text in record.tags.items() if name != "Opening"}
    with pytest.raises(UnfairDrawError):
        verify(config.game, Record(tags, record.tokens))


@pytest.mark.parametrize("text", ["", "x", "-1", "1.5", "9999", "12345678"])
def test_an_opening_tag_that_cannot_be_is_refused(text: str) -> None:
    config = find_configuration("pond-2")
    record = play_game(config, 1).record
    with pytest.raises(BadRecordError, match="record_opening"):
        verify(config.game, Record({**record.tags, "Opening": text}, record.tokens))


def test_a_record_that_calls_everything_given_proves_nothing_and_says_so() -> None:
    config = find_configuration("pond-2")
    record = play_game(config, 1).record
    fair = record.tags["Fair"].rpartition("draws=")[0] + "draws=-"
    tags = {**record.tags, "Opening": str(len(record.tokens)), "Fair": fair}
    verdict = verify(config.game, Record(tags, record.tokens))
    assert (verdict.draws, verdict.given) == (
        0,
        sum(t.startswith(DRAW_PREFIX) for t in record.texts()),
    )


def test_nothing_of_an_opening_is_taken_back() -> None:
    """Even where the last given step was an open choice that its seat could otherwise take back."""
    config = find_configuration("sanssouci-2")
    played = play_game(config, 2)
    steps = next(
        n
        for n, (one, two) in enumerate(zip(played.steps, played.steps[1:], strict=False), start=1)
        if not isinstance(one, Drew) and not isinstance(two, Drew) and one.seats == two.seats
    )
    opening = cut_opening(config.game, played.record, steps)
    table = start_table(config, opening=opening)
    (seat,) = table.waiting
    assert not table.can_undo(seat)
    with pytest.raises(IllegalActionError, match="nothing_to_undo"):
        table.undo(seat)
    with pytest.raises(IllegalActionError, match="nothing_to_undo"):
        table.last_choice([seat])
    choose_at_random(table, Random(1))
    assert table.last_choice([seat]) == len(opening)
    table.take_back(len(opening))
    assert table.ply == len(opening)
    with pytest.raises(BadRecordError, match="log_entry"):
        table.take_back(len(opening) - 1)


def test_an_opening_ends_between_turns_and_before_the_end() -> None:
    config = find_configuration("sakura-3")
    played = play_game(config, 3)
    whole = tuple(token.text for token in full_tokens(config.game, played.steps))
    with pytest.raises(BadRecordError, match="opening_over"):
        replay_opening(config.game, 3, whole)
    first = next(n for n, text in enumerate(whole) if not text.startswith(DRAW_PREFIX))
    with pytest.raises(BadRecordError, match="opening_pending"):
        replay_opening(config.game, 3, whole[: first + 1])
    with pytest.raises(BadRecordError, match="opening_long"):
        cut_opening(config.game, played.record, len(played.steps) + 1)


def test_a_room_goes_on_from_its_opening_and_so_does_who_follows_its_log() -> None:
    config = find_configuration("sakura-3")
    rooms = RoomPair(config, make_config(config, opening=random_opening(config, 1, 0.5)))
    for seat, name in enumerate((OWNER, "ben", "cyd")):
        rooms.do(commands.sit, name, name.title(), seat=Seat(seat), nonce=NONCE)
    rooms.do(commands.start, OWNER)
    rooms.refuse("nothing_to_undo", commands.undo, OWNER, Seat(0))
    rooms.refuse("nothing_to_undo", commands.request_takeback, OWNER, Seat(0))
    rooms.play(Random(1))
    assert rooms.room.ending == "finished"
    assert any(isinstance(entry, ChooseEntry) for entry in rooms.log)
    rooms.check_log()


def test_draws_after_an_opening_are_this_table_s_own() -> None:
    config = find_configuration("sakura-3")
    played = play_game(config, 3)
    steps = next(
        n
        for n, step in enumerate(played.steps)
        if n and isinstance(step, Drew) and not isinstance(played.steps[n - 1], Drew)
    )
    opening = cut_opening(config.game, played.record, steps)
    assert isinstance(config.game.turn(played.steps[steps - 1].after), Draw)
    assert len({start_table(config, seed, opening=opening).log for seed in range(5)}) > 1
    assert not isinstance(config.game.turn(played.steps[steps].after), Over)
