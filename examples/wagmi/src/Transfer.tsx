import { useState } from 'react';
import { formatEther, parseEther } from 'viem';
import {
  useBalance,
  useConnect,
  useConnection,
  useConnectors,
  useSendTransaction,
  useWaitForTransactionReceipt,
} from 'wagmi';

/** A page that sends ether to an address. */
export function Transfer({ to }: { to: `0x${string}` }) {
  const [connector] = useConnectors();
  const { mutate: connect } = useConnect();
  const { isConnected } = useConnection();
  const { mutate: send, data: hash, error } = useSendTransaction();
  const { isSuccess } = useWaitForTransactionReceipt({ hash });
  const [amount, setAmount] = useState('1');

  if (!isConnected)
    return (
      <button type="button" onClick={() => connect({ connector })}>
        Connect
      </button>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send({ to, value: parseEther(amount) });
      }}
    >
      <label>
        Ether <input value={amount} onChange={(event) => setAmount(event.target.value)} />
      </label>
      <button type="submit">Send</button>
      {error && <p role="alert">{error.message}</p>}
      {isSuccess && <Balance address={to} />}
    </form>
  );
}

function Balance({ address }: { address: `0x${string}` }) {
  const { data } = useBalance({ address });
  return data && <output>The recipient has {formatEther(data.value)} ether.</output>;
}
