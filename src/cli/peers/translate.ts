import { shellWord } from '../../node/index.ts';
import { UsageError } from '../command-errors.ts';
import { ANVIL } from './anvil.ts';
import { GANACHE } from './ganache.ts';
import { HARDHAT } from './hardhat.ts';
import type { Peer, PeerFlag, PeerName } from './peer.ts';

export const PEERS: Readonly<Record<PeerName, Peer>> = { anvil: ANVIL, ganache: GANACHE, hardhat: HARDHAT };
export const PEER_NAMES = Object.keys(PEERS);

const FLAG = '--as';
/** Commands with the settings of a node. */
export const NODE_COMMANDS = ['start', 'config'];
const FORK_FLAGS = ['--fork', '--fork-url', '--rpc-url', '-f'];
/** Flags whose values are not shown: they may contain a key. */
const SECRET_FLAGS: ReadonlySet<string> = new Set([...FORK_FLAGS, '--fork-header', '--mnemonic']);

/** A command line in the words of another test node, translated. */
export interface Translation {
  readonly words: readonly string[];
  /** The meaning of the flags, one line each; none without `--as`. */
  readonly notes: readonly string[];
}

/**
 * Translates a command line with `--as` and the name of another test node: its flags become flags of this program, and
 * its defaults are added. Flags that the other node does not have stay.
 * @throws UsageError for an unknown node, or a flag without its value
 */
export function translate(words: readonly string[]): Translation {
  const at = words.findIndex((word) => word === FLAG || word.startsWith(`${FLAG}=`));
  const [first = '-'] = words;
  if (at < 0 || !(first.startsWith('-') || NODE_COMMANDS.includes(first))) return { words, notes: [] };
  const [given = ''] = words.slice(at);
  const name = given === FLAG ? words[at + 1] : given.slice(FLAG.length + 1);
  const peer = PEERS[name as PeerName];
  if (!PEER_NAMES.includes(name ?? '') || peer === undefined) {
    throw new UsageError(
      `${FLAG}: expected one of ${PEER_NAMES.join(', ')}, got ${JSON.stringify(name ?? '')}`,
    );
  }
  const rest = words.toSpliced(at, given === FLAG ? 2 : 1);
  const [command = '', ...flags] = rest[0]?.startsWith('-') === false ? rest : ['start', ...rest];
  const { words: translated, notes } = translateFlags(peer, flags);
  const isStated = [...FORK_FLAGS, '--init'].some((flag) => has(translated, flag));
  const added = peer.defaults
    .filter(({ flag, isOfFork, unless = flag }) => {
      return !(isStated && isOfFork === true) && ![flag, unless].some((name) => has(translated, name));
    })
    .flatMap(({ flag, value }) => (value === undefined ? [flag] : [flag, value]));
  const all = [...added, ...translated];
  return {
    words: [command, ...all],
    notes: [
      `as ${peer.title}: ledgerd ${[command, ...shown(all)].join(' ')}`,
      ...notes,
      ...peer.notes
        .filter(({ unless }) => !unless.split(' ').some((flag) => has(flags, flag)))
        .map(({ text }) => text),
    ],
  };
}

function translateFlags(peer: Peer, given: readonly string[]): { words: string[]; notes: string[] } {
  const words: string[] = [];
  const notes: string[] = [];
  for (let index = 0; index < given.length; index += 1) {
    const word = given[index] ?? '';
    const { flag, name, inline } = flagIn(peer, word);
    if (flag === undefined) {
      words.push(word);
      continue;
    }
    const next = given[index + 1];
    const isNext = inline === undefined && isValue(next, flag);
    const value = inline ?? (isNext ? next : undefined);
    if (isNext) index += 1;
    if (flag.takes === 'value' && value === undefined) throw new UsageError(`${name} needs a value`);
    if (flag.takes === 'nothing' && value === 'false') continue;
    const meaning = flag.meaning(value ?? '');
    words.push(...meaning.words);
    if (meaning.note !== undefined) notes.push(`${name}: ${meaning.note}`);
  }
  return { words, notes };
}

/** Finds the flag of a word such as `--port=1`, `-p`, `-p1` or `-vvv`. */
function flagIn({ flags }: Peer, word: string) {
  const [, long, inline] = /^(--[^=]+)(?:=(.*))?$/s.exec(word) ?? [];
  const name = long ?? (/^-([a-zA-Z])\1*$/.test(word) ? word.slice(0, 2) : undefined);
  const attached = name === undefined ? /^(-[a-zA-Z])=?(.+)$/s.exec(word) : null;
  const found = name ?? attached?.[1];
  const flag = flags.find(({ names }) => found !== undefined && names.includes(found));
  return { flag, name: found, inline: inline ?? attached?.[2] };
}

function isValue(word: string | undefined, { takes }: PeerFlag): boolean {
  // Ganache takes `-d true`, too.
  if (takes === 'nothing') return word === 'true' || word === 'false';
  return word !== undefined && (takes === 'value' || !word.startsWith('-'));
}

const nameOf = (word: string): string => word.replace(/=.*$/s, '');

function has(words: readonly string[], flag: string): boolean {
  return words.some((word) => nameOf(word) === flag);
}

/** Quotes words with spaces, and hides values that may be secret. */
function shown(words: readonly string[]): string[] {
  return words.map((word, index) => {
    if (SECRET_FLAGS.has(nameOf(word)) && word.includes('=')) return `${nameOf(word)}=…`;
    if (SECRET_FLAGS.has(words[index - 1] ?? '')) return '…';
    return shellWord(word);
  });
}
