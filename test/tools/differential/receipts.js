/** Time-out and polling interval of a receipt. */
const RECEIPT_MS = 10_000;
const LOOK_MS = 5;

/**
 * The receipt of a transaction that has been sent: anvil answers before it has one.
 *
 * @param {import('../harness/endpoint.js').Endpoint} node
 * @param {string} hash
 */
export async function receiptOf(node, hash) {
  const end = performance.now() + RECEIPT_MS;
  for (;;) {
    const receipt = await node.call('eth_getTransactionReceipt', hash);
    if (receipt !== null || performance.now() > end) return receipt;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Summarises the outcome of a receipt, without its block. @param {any} receipt */
export function outcomeOf(receipt) {
  if (receipt === null) return null;
  const { status, gasUsed, effectiveGasPrice, blobGasUsed, blobGasPrice } = receipt;
  const { contractAddress, from, to, type, logs } = receipt;
  return {
    status,
    gasUsed,
    effectiveGasPrice,
    blobGasUsed: blobGasUsed ?? null,
    // anvil states it for other transactions, too.
    blobGasPrice: type === '0x3' ? blobGasPrice : null,
    contractAddress: contractAddress ?? null,
    from,
    to: to ?? null,
    type,
    logs: logs.map((/** @type {any} */ { address, topics, data }) => ({ address, topics, data })),
  };
}
