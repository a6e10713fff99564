// How high the rows of the lists are, in pixels. The lists know where each row stands without having made it.

import { isLong } from '../log/fold.js';

const HEIGHTS = { turn: 46, step: 28, damage: 64 };
const ONE_LINE = 34;
const TWO_LINES = 54;

export const heightOf = (row) => HEIGHTS[row.kind] ?? (isLong(row) ? TWO_LINES : ONE_LINE);
export const MESSAGE_HEIGHT = TWO_LINES;
