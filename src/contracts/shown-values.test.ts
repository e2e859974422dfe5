import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodedOrNone, readParameters } from '../solidity/index.ts';
import { sample } from '../solidity/samples.testing.ts';
import { showValues } from './shown-values.ts';

test('behavior: the text of any decoded values is bounded', () => {
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 3 }), fc.uint8Array({ maxLength: 400 }), (samples, bytes) => {
      const parameters = readParameters(samples.map(({ parameter }) => parameter));
      const decoded = decodedOrNone(parameters, bytes);
      if (decoded !== undefined) expect(showValues(parameters, decoded).length).toBeLessThan(1_000);
    }),
    { numRuns: 300 },
  );
});
