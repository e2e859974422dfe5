import { PageTitle } from '../parts/layout.tsx';
import { Empty } from '../parts/states.tsx';
import { linkTo } from '../routing/route.ts';

/** Reports an unknown URL. */
export function NothingView({ path }: { readonly path: string }) {
  return (
    <>
      <PageTitle title="Nothing here" />
      <Empty>
        <span class="mono">#/{path}</span> is no place of this page.{' '}
        <a href={linkTo({ view: 'overview' })}>Overview</a>
      </Empty>
    </>
  );
}
