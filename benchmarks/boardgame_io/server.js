// boardgame.io's own server on loopback, with games kept in memory, and the lightest game there is: a
// move writes into one cell, the turn passes on, and all players are sent the whole state.

const { Server } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");

const [port, size] = process.argv.slice(2).map(Number);

const cells = {
  name: "cells",
  setup: () => ({ cells: Array(size).fill(0) }),
  moves: {
    put: ({ G, playerID }, cell) => {
      if (!(cell in G.cells)) return INVALID_MOVE;
      G.cells[cell] = Number(playerID);
    },
  },
  turn: { minMoves: 1, maxMoves: 1 },
  disableUndo: true, // else it would keep states as well
};

const server = Server({ games: [cells], origins: [`http://127.0.0.1:${port}`] });
server.run({ port: { port, host: "127.0.0.1" } });
