import { PageTitle } from '../parts/layout.tsx';

/** Tools for a chain in test mode. */
export function ToolsView() {
  return <PageTitle title="Tools" kind="Test mode" />;
}
