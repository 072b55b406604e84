import {
  keepPreviousData,
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'

import { SedgeConnectionError } from '../../../src/client/errors.ts'
import type { ResponseOf, Input, OperationId } from '../../../src/client/types.ts'
import { client } from './client.ts'

/** Calls an operation by its name. */
const call = <Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  signal?: AbortSignal,
): Promise<ResponseOf<Id>> =>
  (client[id] as (input: Input<Id>, options: object) => Promise<ResponseOf<Id>>)(input, {
    ...(signal && { signal }),
  })

/** What the service refuses it will refuse again; only what never arrived is tried again. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < 3 && error instanceof SedgeConnectionError,
      },
      mutations: { networkMode: 'always' },
    },
  })

interface QueryOptions<Id extends OperationId> {
  readonly isEnabled?: boolean
  /** Shows what was there before while the new arrives: pages of a list, another period. */
  readonly keepsPrevious?: boolean
  /** `false`: no more. */
  readonly refetchEveryMs?: number | ((data: ResponseOf<Id> | undefined) => number | false)
}

/** Reads with an operation; what was read is kept under its id and what it was told. */
export function useOperation<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  { isEnabled = true, keepsPrevious = false, refetchEveryMs }: QueryOptions<Id> = {},
) {
  return useQuery<ResponseOf<Id>>({
    queryKey: [id, input],
    queryFn: ({ signal }) => call(id, input, signal),
    enabled: isEnabled,
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
    refetchInterval:
      typeof refetchEveryMs === 'function'
        ? ({ state }) => refetchEveryMs(state.data)
        : (refetchEveryMs ?? false),
  })
}

interface ChangeOptions<Id extends OperationId> {
  /** Operations whose answers this changes; they are read again. */
  readonly changes: readonly OperationId[]
  readonly onSuccess?: (response: ResponseOf<Id>, input: Input<Id>) => void
}

/** Changes with an operation. */
export function useChange<Id extends OperationId>(
  id: Id,
  { changes, onSuccess }: ChangeOptions<Id>,
) {
  const queries = useQueryClient()
  return useMutation<ResponseOf<Id>, Error, Input<Id>>({
    mutationFn: (input) => call(id, input),
    onSuccess: async (response, input) => {
      onSuccess?.(response, input)
      await Promise.all(changes.map((each) => queries.invalidateQueries({ queryKey: [each] })))
    },
  })
}
