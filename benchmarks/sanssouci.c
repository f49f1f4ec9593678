/* A whole random game of Sanssouci in C: set-up, every turn, end scoring, all options.

   It plays what the compiled twin plays, draw by draw: the same flat position, the same luck, the same
   order of choices. c_comparison.py holds the final positions and scores of both against each other, number by
   number, before it times them; so a change of the layout or of a rule is noticed there. */

#include <stdint.h>

typedef int64_t num;

/* Where each fact lies, as in layout.py. */
enum {
    PHASE, ACTOR, TURNS, SEATS, FIRST, TILE, EMPTIED, MARKET,
    BAG = MARKET + 10,
    BLOCK = BAG + 9
};
enum {
    HAND, DECK, MISSIONS, BUILT, GARDENERS, AHEAD, BOAR, LEDGER,
    BOARD = LEDGER + 5,
    REWARDS_BOARD, REWARDS_SIDE, HIDDEN_CARDS, HIDDEN_MISSIONS, BLOCK_SIZE
};
enum { SIZE = BLOCK + 4 * BLOCK_SIZE };
enum {
    HAS_REWARDS, HAS_BOARS, CARDS, TILES,
    COLUMN_BONUS = TILES + 3,
    BOAR_DISTURBED, BOAR_REMOVED, ROW_VALUES,
    ROW_BONUS = ROW_VALUES + 6,
    GARDENS = ROW_BONUS + 6,
    REWARDS = GARDENS + 8
};

enum {
    FIRST_PLAYER, GARDEN, MISSION, REWARDS_DUE, DEAL, FILL, SIDES,
    TAKE, PLACE, CHASE, WALK, REFILL, CARD, OVER
};
enum { WALKS, MOTIF_BONUS, GARDENER_BONUS, PENALTY, BOAR_POINTS };
enum { MOTIFS = 9, SPACES = 10, CELLS = 54, ROUNDS = 18, BOAR_START = 31 };

#define ONE ((num)1)
#define EVERYWHERE ((ONE << CELLS) - 1)
#define FIRST_ROW ((ONE << MOTIFS) - 1)
#define COLUMN_A (ONE | ONE << 9 | ONE << 18 | ONE << 27 | ONE << 36 | ONE << 45)
#define NOT_A (EVERYWHERE & ~COLUMN_A)
#define NOT_I (EVERYWHERE & ~(COLUMN_A << 8))
#define ALL_SPACES ((ONE << SPACES) - 1)
#define PAIR(one, other) (3 << 2 * (one - 2) | 3 << 2 * (other - 2))

/* The spaces of each card that do not depend on the tiles. */
static const num PAIR_SPACES[20] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0,
    PAIR(2, 3), PAIR(2, 4), PAIR(2, 5), PAIR(2, 6), PAIR(3, 4),
    PAIR(3, 5), PAIR(3, 6), PAIR(4, 5), PAIR(4, 6), PAIR(5, 6),
    ALL_SPACES
};

static inline num count_bits(num mask) { return __builtin_popcountll((uint64_t)mask); }
static inline num lowest_bit(num mask) { return __builtin_ctzll((uint64_t)mask); }

static inline num nth_bit(num mask, num place)
{
    for (; place > 0; place--)
        mask &= mask - 1;
    return lowest_bit(mask);
}

static inline num below(uint64_t *luck, num limit)
{
    uint64_t state = *luck;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    *luck = state;
    return (num)(((state >> 32) * (uint64_t)limit) >> 32);
}

static inline num seat_block(num seat) { return BLOCK + seat * BLOCK_SIZE; }

/* Geometry. */

static inline num neighbors(num cells)
{
    num sideways = (cells & NOT_I) << 1 | (cells & NOT_A) >> 1;
    return sideways | ((cells << 9 | cells >> 9) & EVERYWHERE);
}

static inline num flood(num reached, num allowed)
{
    num grown = reached;
    while (grown) {
        grown = neighbors(grown) & allowed & ~reached;
        reached |= grown;
    }
    return reached;
}

static inline num cross(num cell)
{
    num row = cell / 9;
    return FIRST_ROW << (9 * row) | COLUMN_A << (cell - 9 * row);
}

/* What may be chosen. */

static inline num spaces_for(const num *state, num card)
{
    if (card >= MOTIFS)
        return PAIR_SPACES[card];
    num spaces = 0;
    for (num space = 0; space < SPACES; space++)
        spaces |= (num)(state[MARKET + space] == card) << space;
    return spaces ? spaces : ALL_SPACES;
}

static inline num gardener_cells(const num *state, num block)
{
    num free = EVERYWHERE & ~state[block + BUILT];
    num line = free & cross(state[TILE]);
    return line ? line : free;
}

static inline num boar_steps(const num *state, num block)
{
    return neighbors(ONE << state[block + BOAR]) & ~state[block + BUILT];
}

static inline num walks(const num *state, num block)
{
    num promenade = flood(FIRST_ROW, state[block + BUILT]);
    return promenade & state[block + AHEAD] & ~state[block + GARDENERS];
}

static inline num points_of(const num *state, num block)
{
    num points = 0;
    for (num source = 0; source < 5; source++)
        points += state[block + LEDGER + source];
    return points;
}

/* What choices do. */

static inline void lay(const num *box, num *state, num cell, num is_gardener)
{
    num block = seat_block(state[ACTOR]);
    num bit = ONE << cell;
    state[block + BUILT] |= bit;
    if (is_gardener)
        state[block + GARDENERS] |= bit;
    num side = state[block + REWARDS_SIDE];
    if (side >= 0) {
        num pay = box[REWARDS + (side * CELLS + cell) * 2 + is_gardener];
        if (pay < 0) {
            num points = points_of(state, block);
            state[block + LEDGER + PENALTY] -= -pay < points ? -pay : points;
        } else {
            state[block + LEDGER + MOTIF_BONUS + is_gardener] += pay;
        }
    }
    state[PHASE] = WALK;
    if (state[block + BOAR] == cell) {
        state[block + LEDGER + BOAR_POINTS] += box[BOAR_DISTURBED];
        if (boar_steps(state, block)) {
            state[PHASE] = CHASE;
        } else {
            state[block + LEDGER + BOAR_POINTS] += box[BOAR_REMOVED];
            state[block + BOAR] = -1;
        }
    }
}

static inline void take(const num *box, num *state, num card, num space)
{
    num block = seat_block(state[ACTOR]);
    state[block + HAND] &= ~(ONE << card);
    num cell = 9 * (space / 2 + 1) + state[MARKET + space];
    state[MARKET + space] = -1;
    state[EMPTIED] = space;
    state[TILE] = cell;
    if (state[block + BUILT] >> cell & 1)
        state[PHASE] = PLACE;
    else
        lay(box, state, cell, 0);
}

static inline void step(const num *box, num *state, num block, num cell)
{
    num row = cell / 9;
    num down_to = COLUMN_A << (cell - 9 * row) & ((2 * ONE << cell) - 1);
    state[block + AHEAD] &= ~down_to;
    state[block + LEDGER + WALKS] += box[ROW_VALUES + row];
}

static inline void next_turn(num *state)
{
    state[TURNS] += 1;
    state[ACTOR] += 1;
    if (state[ACTOR] == state[SEATS])
        state[ACTOR] = 0;
    state[PHASE] = state[TURNS] < ROUNDS * state[SEATS] ? TAKE : OVER;
}

/* Random play. */

static inline void random_take(const num *box, num *state, num block, uint64_t *luck)
{
    num hand = state[block + HAND];
    num card = lowest_bit(hand);
    num spaces = spaces_for(state, card);
    num count = count_bits(spaces);
    num rest = hand & (hand - 1);
    num other = rest ? spaces_for(state, lowest_bit(rest)) : 0;
    num place = below(luck, count + count_bits(other));
    if (place < count)
        take(box, state, card, nth_bit(spaces, place));
    else
        take(box, state, lowest_bit(rest), nth_bit(other, place - count));
}

static inline void random_turn(const num *box, num *state, uint64_t *luck)
{
    num turns = state[TURNS], seats = state[SEATS];
    num block = seat_block(state[ACTOR]);
    random_take(box, state, block, luck);
    while (state[PHASE] != WALK) {
        if (state[PHASE] == PLACE) {
            num cells = gardener_cells(state, block);
            lay(box, state, nth_bit(cells, below(luck, count_bits(cells))), 1);
        } else {
            num steps = boar_steps(state, block);
            state[block + BOAR] = nth_bit(steps, below(luck, count_bits(steps)));
            state[PHASE] = WALK;
        }
    }
    num ends = walks(state, block);
    num count = count_bits(ends);
    num place = below(luck, count + 1);
    if (place < count)
        step(box, state, block, nth_bit(ends, place));
    num left = ROUNDS * seats - 1 - turns; /* the supply is exactly one short */
    if (left) {
        place = below(luck, left);
        num motif = -1;
        while (place >= 0)
            place -= state[BAG + ++motif];
        state[BAG + motif] -= 1;
        state[MARKET + state[EMPTIED]] = motif;
    }
    num deck = state[block + DECK];
    if (deck) {
        num card = ONE << nth_bit(deck, below(luck, count_bits(deck)));
        state[block + DECK] ^= card;
        state[block + HAND] |= card;
    }
    next_turn(state);
}

/* Set-up. */

static inline void next_seat(num *state, num again, num then)
{
    state[ACTOR] += 1;
    state[PHASE] = again;
    if (state[ACTOR] == state[SEATS]) {
        state[ACTOR] = 0;
        state[PHASE] = then;
    }
}

static num random_tile(const num *state, uint64_t *luck)
{
    num left = 0;
    for (num motif = 0; motif < MOTIFS; motif++)
        left += state[BAG + motif];
    num place = below(luck, left);
    num motif = -1;
    while (place >= 0)
        place -= state[BAG + ++motif];
    return motif;
}

static void fill_space(const num *box, num *state, num motif)
{
    state[MARKET + state[EMPTIED]] = motif;
    state[BAG + motif] -= 1;
    if (state[EMPTIED] + 1 < SPACES) {
        state[EMPTIED] += 1;
    } else if (box[HAS_REWARDS]) {
        state[PHASE] = SIDES;
    } else {
        state[PHASE] = TAKE;
        state[ACTOR] = state[FIRST];
    }
}

static void deal_card(num *state, uint64_t *luck)
{
    num block = seat_block(state[ACTOR]);
    num deck = state[block + DECK];
    num card = ONE << nth_bit(deck, below(luck, count_bits(deck)));
    state[block + DECK] ^= card;
    state[block + HAND] |= card;
    if (count_bits(state[block + HAND]) == 2)
        next_seat(state, DEAL, FILL);
}

static num setup_choices(const num *state)
{
    num phase = state[PHASE], used = 0;
    if (phase == FIRST_PLAYER)
        return (ONE << state[SEATS]) - 1;
    for (num seat = 0; seat < state[SEATS]; seat++) {
        num block = seat_block(seat);
        if (phase == MISSION)
            used |= state[block + MISSIONS];
        else if (seat < state[ACTOR]) {
            if (phase == GARDEN)
                used |= (num)3 << (state[block + BOARD] & ~ONE);
            else
                used |= ONE << state[block + REWARDS_BOARD];
        }
    }
    return (phase == GARDEN ? 255 : phase == MISSION ? 511 : 15) & ~used;
}

static void set_up(const num *box, num *state, num drawn)
{
    num block = seat_block(state[ACTOR]);
    switch (state[PHASE]) {
    case FIRST_PLAYER:
        state[FIRST] = drawn;
        state[PHASE] = GARDEN;
        break;
    case GARDEN:
        state[block + BOARD] = drawn;
        state[block + BUILT] = box[GARDENS + drawn];
        state[block + BOAR] = box[HAS_BOARS] ? BOAR_START : -1;
        state[PHASE] = MISSION;
        break;
    case MISSION:
        state[block + MISSIONS] |= ONE << drawn;
        if (count_bits(state[block + MISSIONS]) == 2) {
            if (box[HAS_REWARDS])
                state[PHASE] = REWARDS_DUE;
            else
                next_seat(state, GARDEN, DEAL);
        }
        break;
    default:
        state[block + REWARDS_BOARD] = drawn;
        next_seat(state, GARDEN, DEAL);
    }
}

static void choose_sides(num *state, uint64_t *luck, num covered)
{
    for (num seat = 0; seat < state[SEATS]; seat++) {
        num block = seat_block(seat);
        state[block + REWARDS_SIDE] = state[block + REWARDS_BOARD] * 2 + below(luck, 2);
        state[block + BUILT] &= ~covered;
    }
    state[PHASE] = TAKE;
    state[ACTOR] = state[FIRST];
}

/* Play one position, as it is before the first draw, to the end. */
static void playout(const num *box, num *state, uint64_t *luck, num covered)
{
    while (state[PHASE] < TAKE) {
        if (state[PHASE] == SIDES)
            choose_sides(state, luck, covered);
        else if (state[PHASE] == FILL)
            fill_space(box, state, random_tile(state, luck));
        else if (state[PHASE] == DEAL)
            deal_card(state, luck);
        else {
            num possible = setup_choices(state);
            set_up(box, state, nth_bit(possible, below(luck, count_bits(possible))));
        }
    }
    while (state[PHASE] != OVER)
        random_turn(box, state, luck);
}

void playouts(const num *box, num *positions, num games, uint64_t *luck, num covered)
{
    for (num game = 0; game < games; game++)
        playout(box, positions + game * SIZE, luck + game, covered);
}

/* End scoring. */

static num endgame(const num *box, const num *state, num block, num points)
{
    num free = EVERYWHERE & ~state[block + BUILT];
    num bonus = 0;
    for (num row = 0; row < 6; row++)
        if (!(free & FIRST_ROW << (MOTIFS * row)))
            bonus += box[ROW_BONUS + row];
    for (num column = 0; column < MOTIFS; column++) {
        if (!(free & COLUMN_A << column))
            bonus += box[COLUMN_BONUS];
        if (state[block + MISSIONS] >> column & 1)
            bonus += 6 - count_bits(state[block + AHEAD] & COLUMN_A << column);
    }
    if (state[block + BOAR] >= 0) {
        num area = count_bits(flood(ONE << state[block + BOAR], free));
        bonus -= area < points + bonus ? area : points + bonus;
    }
    return bonus;
}

void scores(const num *box, const num *state, num *points)
{
    for (num seat = 0; seat < state[SEATS]; seat++) {
        num block = seat_block(seat);
        points[seat] = points_of(state, block);
        points[seat] += endgame(box, state, block, points[seat]);
    }
}
