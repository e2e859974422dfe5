import type { ProfileId } from '../context/profile-id.ts';
import { ETHEREUM_PROFILE } from './ethereum-profile.ts';
import { LEDGER_PROFILE } from './ledger-profile.ts';
import type { Profile } from './profile.ts';

export const PROFILES: Readonly<Record<ProfileId, Profile>> = {
  ledger: LEDGER_PROFILE,
  ethereum: ETHEREUM_PROFILE,
};
