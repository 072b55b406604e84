import {
  keepPreviousData,
  QueryClient,
  useInfiniteQuery,
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
  /** For how long it is not read again; for ever what never changes. */
  readonly staleMs?: number
  /** `false`: no more. */
  readonly refetchEveryMs?: number | ((data: ResponseOf<Id> | undefined) => number | false)
}

/** Reads with an operation; what was read is kept under its id and what it was told. */
export function useOperation<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  { isEnabled = true, keepsPrevious = false, staleMs, refetchEveryMs }: QueryOptions<Id> = {},
) {
  return useQuery<ResponseOf<Id>>({
    queryKey: [id, input],
    queryFn: ({ signal }) => call(id, input, signal),
    enabled: isEnabled,
    ...(staleMs === undefined ? {} : { staleTime: staleMs }),
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
    refetchInterval:
      typeof refetchEveryMs === 'function'
        ? ({ state }) => refetchEveryMs(state.data)
        : (refetchEveryMs ?? false),
  })
}

/** What a page of a list says of the next one. */
interface WithNext {
  readonly Next: string | null
}

/** Operations that give a list page by page. */
type PagedId = {
  [Id in OperationId]: ResponseOf<Id> extends WithNext ? Id : never
}[OperationId]

interface PagesOptions {
  /** The parameter that takes `Next` of the page before. */
  readonly cursor: string
  readonly isEnabled?: boolean
  /** Read anew when it is another. */
  readonly version?: string
}

/** Reads a list page by page, as far as somebody looks. */
export function usePages<Id extends PagedId>(
  id: Id,
  input: Input<Id>,
  { cursor, isEnabled = true, version }: PagesOptions,
) {
  return useInfiniteQuery({
    queryKey: [id, 'pages', input, version],
    queryFn: ({ pageParam, signal }) =>
      call(id, pageParam === undefined ? input : { ...input, [cursor]: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ Next }: ResponseOf<Id> & WithNext) => Next ?? undefined,
    enabled: isEnabled,
  })
}

/** Reads requests that fit, newest first, page by page. */
export const useRequestPages = (input: Input<'listLogs'> & { readonly q: string }) =>
  useInfiniteQuery({
    queryKey: ['listLogs', 'pages', input],
    queryFn: ({ pageParam, signal }) =>
      call('listLogs', pageParam === undefined ? input : { ...input, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ Cursor }) => Cursor ?? undefined,
    placeholderData: keepPreviousData,
  })

/** Reads changes that fit, newest first, page by page. */
export const useAuditPages = (input: Input<'listAuditLogs'>) =>
  useInfiniteQuery({
    queryKey: ['listAuditLogs', 'pages', input],
    queryFn: ({ pageParam, signal }) =>
      call(
        'listAuditLogs',
        { ...input, limit: 500, ...(pageParam !== undefined && { cursor: pageParam }) },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ Cursor }) => Cursor ?? undefined,
    placeholderData: keepPreviousData,
  })

export type UsagePages = readonly ResponseOf<'getUsage'>[]

/** Reads what each zone uses, by name, page by page. */
export const useUsagePages = (input: Input<'getUsage'>) =>
  useInfiniteQuery({
    queryKey: ['getUsage', 'pages', input],
    queryFn: ({ pageParam, signal }) =>
      call('getUsage', { ...input, per_page: 100, page: pageParam }, signal),
    initialPageParam: 1,
    getNextPageParam: ({ Pagination: { Page, TotalPages } }) =>
      Page < TotalPages ? Page + 1 : undefined,
    placeholderData: keepPreviousData,
  })

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
