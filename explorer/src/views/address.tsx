import { PageTitle } from '../parts/layout.tsx';

/** An account, a contract, or any other address. */
export function AddressView({ text }: { readonly text: string; readonly part: string }) {
  return <PageTitle title={text} kind="Address" />;
}
