import type { ComponentChildren } from 'preact';
import { facts } from '../live/chain-state.ts';
import { PageTitle } from '../parts/layout.tsx';
import { Empty, Loading } from '../parts/states.tsx';
import { ClockTool } from './clock.tsx';
import { AddressConverter, UnitConverter } from './converters.tsx';
import { EncodeTool } from './encode.tsx';
import { FaucetTool } from './faucet.tsx';
import { ImpersonationTool } from './impersonation.tsx';
import { MiningTool } from './mining.tsx';
import { SnapshotsTool } from './snapshots.tsx';

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
      <div class="tool-groups">
        {isTest === true && (
          <Group>
            <FaucetTool />
            <MiningTool />
            <ClockTool />
            <SnapshotsTool />
            <ImpersonationTool />
          </Group>
        )}
        {isTest !== undefined && (
          <Group>
            <UnitConverter />
            <AddressConverter />
            <EncodeTool />
          </Group>
        )}
      </div>
    </>
  );
}

function Group({ children }: { readonly children: ComponentChildren }) {
  return <div class="tool-group">{children}</div>;
}
