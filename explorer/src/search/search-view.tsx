import { useEffect } from 'preact/hooks';
import { PageTitle } from '../parts/layout.tsx';
import { Empty, Failure, Loading } from '../parts/states.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { linkTo } from '../routing/route.ts';
import { find } from './find.ts';

/** Looks for what a text means, and goes there; says so where there is nothing. */
export function SearchView({ text }: { readonly text: string }) {
  const loaded = useLoaded(text, () => find(text));
  const found = loaded.state === 'ready' ? loaded.value : undefined;
  useEffect(() => {
    // Whoever goes back does not want to search again.
    if (found !== undefined) location.replace(linkTo(found));
  }, [found]);
  return (
    <>
      <PageTitle title={text} kind="Search" />
      {loaded.state === 'failed' && (
        <Failure what="what you search for" error={loaded.error} again={loaded.again} />
      )}
      {loaded.state === 'loading' && <Loading what="what you search for" />}
      {loaded.state === 'ready' && found === undefined && (
        <Empty>
          There is nothing of this name or hash on the chain. A search takes the number of a block, the hash
          of a block or of an operation (in the form that it had while it waited, too), an identifier such as
          1.2.1024 or 1.11.0, an address, and the name of an account.
        </Empty>
      )}
    </>
  );
}
