import { writeSync } from 'node:fs';
import { TRACE_PIECE_BYTES } from '../../limits.ts';
import { framePiece, PIECE_HEAD_BYTES, TRACE_STREAM } from './frames.ts';

/** What pieces are put together in, up to what is read at a time. */
const FRAME = Buffer.allocUnsafeSlow(PIECE_HEAD_BYTES + TRACE_PIECE_BYTES);
let used = PIECE_HEAD_BYTES;

/** Tells the node something, after the pieces before, and waits until the system has taken it. */
export function tellNode(frame: Buffer): void {
  tellPieces();
  write(frame);
}

/** Tells the node a piece of an answer, when there is enough of it, and waits for as long as its client takes. */
export function tellPiece(piece: Buffer): void {
  for (let start = 0; start < piece.length; ) {
    const copied = piece.copy(FRAME, used, start);
    start += copied;
    used += copied;
    if (used === FRAME.length) tellPieces();
  }
}

function tellPieces(): void {
  if (used === PIECE_HEAD_BYTES) return;
  const frame = framePiece(FRAME.subarray(0, used));
  used = PIECE_HEAD_BYTES;
  write(frame);
}

/** Ends the process where the node is gone. */
function write(frame: Buffer): void {
  let place = 0;
  try {
    while (place < frame.length) place += writeSync(TRACE_STREAM, frame, place);
  } catch {
    process.exit();
  }
}
