import { writeSync } from 'node:fs';
import { TRACE_PIECE_BYTES } from '../limits.ts';
import { FRAME_HEAD_BYTES, writeFrameHead } from './frames.ts';
import { NODE_STREAM } from './worker-process.ts';

/** Frame in which pieces are put together, up to what is read at a time. */
const FRAME = Buffer.allocUnsafeSlow(FRAME_HEAD_BYTES + TRACE_PIECE_BYTES);
let used = FRAME_HEAD_BYTES;

/** Sends a frame to the node, after the pieces before, and waits until the system has taken it. */
export function send(frame: Buffer): void {
  sendPieces();
  write(frame);
}

/** Sends bytes of a response, once there are enough of them, and waits for as long as its client does not read. */
export function sendPiece(piece: Buffer): void {
  for (let start = 0; start < piece.length; ) {
    const copied = piece.copy(FRAME, used, start);
    start += copied;
    used += copied;
    if (used === FRAME.length) sendPieces();
  }
}

function sendPieces(): void {
  if (used === FRAME_HEAD_BYTES) return;
  const frame = writeFrameHead(FRAME.subarray(0, used), 'piece');
  used = FRAME_HEAD_BYTES;
  write(frame);
}

/** Ends the process where the node is gone. */
function write(frame: Buffer): void {
  let position = 0;
  try {
    while (position < frame.length) position += writeSync(NODE_STREAM, frame, position);
  } catch {
    process.exit();
  }
}
