import { useEffect } from 'preact/hooks';
import { PageTitle, Section } from '../parts/layout.tsx';
import { Empty, Failure, Loading } from '../parts/states.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { linkTo } from '../routing/route.ts';
import { find } from './find.ts';

/** Searches for a text and navigates to the result, or reports that there is none. */
export function SearchView({ text }: { readonly text: string }) {
  const loaded = useLoaded(text, () => find(text));
  const found = loaded.state === 'ready' ? loaded.value : [];
  const [only] = found.length === 1 ? found : [];
  useEffect(() => {
    // Going back must not repeat the search.
    if (only !== undefined) location.replace(linkTo(only));
  }, [only]);
  return (
    <>
      <PageTitle title={text} kind="Search" />
      {loaded.state === 'failed' && (
        <Failure what="what you search for" error={loaded.error} again={loaded.again} />
      )}
      {loaded.state === 'loading' && <Loading what="what you search for" />}
      {loaded.state === 'ready' && found.length === 0 && (
        <Empty>
          There is nothing of this name or hash on the chain. A search takes the number of a block, the hash
          of a block or of an operation (in the form that it had while it waited, too), an identifier such as
          1.2.1024 or 1.11.0, an address, the name of an account, and the name of a contract that the node
          knows.
        </Empty>
      )}
      {found.length > 1 && (
        <Section title="Accounts and contracts of this name">
          <ul class="found">
            {found.map((place) => (
              <li key={linkTo(place)}>
                <a class="mono" href={linkTo(place)}>
                  {place.view === 'address' ? place.text : linkTo(place)}
                </a>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}
