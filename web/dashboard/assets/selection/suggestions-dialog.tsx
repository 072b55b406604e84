import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import type { ResponseOf } from '../../../../src/client/types.ts'
import { client } from '../../api/client.ts'
import { plural, t } from '../../language/text.ts'
import { Failure } from '../../parts/feedback/failure.tsx'
import { Segments } from '../../parts/forms/segments.tsx'
import { transformPath } from '../asset.ts'
import { BulkDialog, type BulkDialogProps } from './bulk-dialog.tsx'
import { type Named, useDone } from './use-bulk.ts'

type Source = 'vision' | 'any'
type Result = ResponseOf<'takeSuggestions'>['Results'][number]

/** Shows what is suggested for all that is selected, and takes it. What persons say stays. */
export function SuggestionsDialog({ named, what, onClose }: BulkDialogProps) {
  const [source, setSource] = useState<Source>('vision')
  const { found, isBusy, error, take } = useSuggestions(named, source)
  const results = (found.data?.Results ?? []).filter(({ Outcome }) => Outcome === 'updated')
  const begin = async () => {
    if (await take()) onClose(true)
  }
  return (
    <BulkDialog
      title={t('Suggestions for {what}', { what })}
      verb={t('Take them')}
      isBusy={isBusy || found.isFetching}
      canBegin={results.length > 0}
      error={error}
      onClose={() => onClose(false)}
      onBegin={() => void begin()}
    >
      <Segments
        label={t('Where they come from')}
        value={source}
        options={[
          { value: 'vision', label: t('Seen by a model') },
          { value: 'any', label: t('Titles and names, too') },
        ]}
        onChange={setSource}
      />
      <p className="fine-print">
        {t('Look whether they are right. What somebody says already stays.')}
      </p>
      {found.isError && <Failure error={found.error} />}
      {found.isSuccess && results.length === 0 && (
        <p role="status">{t('Nothing is suggested for these assets.')}</p>
      )}
      <SuggestedList results={results} />
    </BulkDialog>
  )
}

function useSuggestions(named: Named, source: Source) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const done = useDone()
  const body = { ...named, Source: source }
  const found = useQuery({
    queryKey: ['takeSuggestions', body],
    queryFn: async () => await client.takeSuggestions({ body: { ...body, DryRun: true } }),
    staleTime: 0,
    retry: false,
  })
  const take = async (): Promise<boolean> => {
    setBusy(true)
    try {
      const { Results, Commit } = await client.takeSuggestions({ body })
      const count = Results.filter(({ Outcome }) => Outcome === 'updated').length
      const text = plural(count, {
        one: 'Suggestions taken for {count} asset.',
        other: 'Suggestions taken for {count} assets.',
      })
      await done(text, Commit, Results[0]?.Path.split('/')[0])
      return true
    } catch (fault) {
      setError(fault)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { found, isBusy, error, take }
}

const SuggestedList = ({ results }: { readonly results: readonly Result[] }) => (
  <ul className="suggested-list" aria-label={t('Suggested')}>
    {results.map(({ Path, Alt, Tags }) => (
      <li key={Path}>
        <img src={transformPath(Path, { w: 160, h: 120, fit: 'inside' })} alt="" loading="lazy" />
        <strong>{Path.split('/').at(-1)}</strong>
        {Object.entries(Alt).map(([language, text]) => (
          <q key={language} lang={language}>
            {text}
          </q>
        ))}
        {Tags.length > 0 && <span className="fine-print">{Tags.join(', ')}</span>}
      </li>
    ))}
  </ul>
)
