import { RpcError } from '../../errors.ts';

/** Why a simulation as a whole is refused, by the codes of Ethereum's Execution APIs. */
const CODES = {
  nonceTooLow: -38010,
  nonceTooHigh: -38011,
  feeTooLow: -38012,
  intrinsicGas: -38013,
  funds: -38014,
  blockGas: -38015,
  blockNumber: -38020,
  timestamp: -38021,
  notExternal: -38024,
  initCode: -38025,
  tooMany: -38026,
} as const;

/** A simulation cannot go on. */
export class SimulationRefusedError extends RpcError {
  override readonly code = 'SIMULATION_REFUSED';
  override readonly rpcCode: number;

  constructor(kind: keyof typeof CODES, message: string) {
    super(message);
    this.rpcCode = CODES[kind];
  }
}
