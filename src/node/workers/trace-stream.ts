import { writeSync } from 'node:fs';
import { TRACE_PIECE_BYTES } from '../../limits.ts';
import { TRACE_STREAM, writePiece } from './frames.ts';

/** Tells the node something, and waits until the system has taken it; ends the process where the node is gone. */
export function tellNode(frame: Buffer): void {
  let place = 0;
  try {
    while (place < frame.length) place += writeSync(TRACE_STREAM, frame, place);
  } catch {
    process.exit();
  }
}

/** Tells the node a piece of an answer, for as long as its client takes. */
export function tellPiece(piece: Buffer): void {
  for (let start = 0; start < piece.length; start += TRACE_PIECE_BYTES) {
    tellNode(writePiece(piece.subarray(start, start + TRACE_PIECE_BYTES)));
  }
}
