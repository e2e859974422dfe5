import { type Dispatcher, LimitError } from '../rpc/index.ts';
import { type HttpRequest, type HttpResponse, refuse } from './http-response.ts';

/** Makes a long response as a scheduled task, within the bounds of its client. Throws what `make` throws. */
export async function scheduledResponse(
  { connection }: Pick<HttpRequest, 'connection'>,
  dispatcher: Dispatcher,
  make: () => HttpResponse,
): Promise<HttpResponse> {
  const refusal = connection.admit?.();
  if (refusal !== undefined) return refuse(429, refusal);
  if (!connection.budget.mayBegin()) return refuse(503, connection.budget.refusal);
  connection.state = 'working';
  try {
    return (await dispatcher.schedule(connection, make)) ?? { status: 204 };
  } catch (error) {
    if (!(error instanceof LimitError)) throw error;
    return refuse(503, error);
  }
}
