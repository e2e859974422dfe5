/**
 * The results that Ethereum's Execution APIs give to methods, out of their OpenRPC document of 2026, and the field that
 * receipts have beside them.
 */

import { readFileSync } from 'node:fs';

/** @type {{ results: Readonly<Record<string, object>>, components: { schemas: Record<string, any> } }} */
const { results, components } = JSON.parse(readFileSync(new URL('openrpc.json', import.meta.url), 'utf8'));
const { ReceiptInfo, uint } = components.schemas;
ReceiptInfo.properties.blockTimestamp = uint;

export { components, results };
