import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Failure, Loading } from './states.tsx';

/** Makes a component that loads its code when it is first shown. */
export function lazy<Props extends object>(
  what: string,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [error, setError] = useState<unknown>();
    const [round, setRound] = useState(0);
    useEffect(() => {
      if (loaded !== undefined) return;
      load().then((component) => {
        loaded = component;
        setRound((count) => count + 1);
      }, setError);
    }, [round]);
    const Shown = loaded;
    if (Shown !== undefined) return <Shown {...props} />;
    if (error === undefined) return <Loading what={what} />;
    const again = (): void => {
      setError(undefined);
      setRound((count) => count + 1);
    };
    return <Failure what={what} error={error} again={again} />;
  };
}
