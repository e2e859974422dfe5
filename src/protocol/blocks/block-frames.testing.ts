import { FrameReader } from './block-frames.ts';

/** Splits what `frameBlocks` put together into its blocks, as copies. @throws {DecodeError} */
export function unframeBlocks(bytes: Uint8Array): Uint8Array[] {
  const bounds = { blocksMax: bytes.length, bytesMax: bytes.length, headBytes: 0 };
  const frames = new FrameReader(bounds, () => undefined);
  const blocks = [...frames.read(bytes)];
  frames.finish();
  return blocks;
}
