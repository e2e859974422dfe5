import type { ComponentChildren } from 'preact';
import { facts } from '../live/chain-state.ts';
import { PageTitle } from '../parts/layout.tsx';
import { Empty, Loading } from '../parts/states.tsx';
import { ClockTool } from './clock.tsx';
import { AddressConverter, UnitConverter } from './converters.tsx';
import { DeployTool } from './deploy.tsx';
import { EncodeTool } from './encode.tsx';
import { FaucetTool } from './faucet.tsx';
import { ImpersonationTool } from './impersonation.tsx';
import { MiningTool } from './mining.tsx';
import { SnapshotsTool } from './snapshots.tsx';
import { StateTool } from './state.tsx';

/** Tools for a test chain; those that only compute exist on every chain. */
export function ToolsView() {
  const isTest = facts.value?.isTest;
  return (
    <>
      <PageTitle title="Tools" kind={isTest === true ? 'Test mode' : undefined} />
      {isTest === undefined && <Loading what="the chain" />}
      {isTest === false && (
        <Empty>This node is not in test mode: what changes its chain or its clock is not there.</Empty>
      )}
      {isTest === true && (
        <>
          <Group title="Chain">
            <MiningTool />
            <ClockTool />
          </Group>
          <Group title="Accounts">
            <FaucetTool />
            <ImpersonationTool />
          </Group>
          <Group title="Contracts">
            <DeployTool />
          </Group>
          <Group title="State">
            <SnapshotsTool />
            <StateTool />
          </Group>
        </>
      )}
      {isTest !== undefined && (
        <Group title="Utilities">
          <UnitConverter />
          <AddressConverter />
          <EncodeTool />
        </Group>
      )}
    </>
  );
}

function Group({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="tool-group" aria-label={title}>
      <h2>{title}</h2>
      <div class="tool-columns">{children}</div>
    </section>
  );
}
