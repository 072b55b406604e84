import { useOperation } from '../../api/queries.ts'
import { t } from '../../language/text.ts'
import { EmptyState } from '../../parts/feedback/empty-state.tsx'
import { Loading, QueryResult } from '../../parts/feedback/query-result.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { OneZone } from '../../parts/one-zone.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { CreatePreview } from '../../previews/create-preview.tsx'
import { PreviewList } from '../../previews/preview-list.tsx'
import { PreviewPage } from '../../previews/preview-page.tsx'
import { useSearch } from '../../router.tsx'

/** Branches of a zone: what would be live, to be looked at before. */
export function Page() {
  const [{ preview, zone }, change] = useSearch()
  return (
    <>
      <PageHeader
        title={t('Previews')}
        lead={t(
          'A copy of a zone at a URL of its own: change it, show it around, then promote it in one step.',
        )}
      >
        <Button
          kind="primary"
          icon="plus"
          needs={{ scope: ['storage:write', 'previews:write'], zone }}
          onClick={() => change({ from: now })}
        >
          {t('Create a preview')}
        </Button>
      </PageHeader>
      <OneZone page="previews" what="A preview">
        {({ Name }) => (
          <>
            {preview === undefined ? (
              <All zone={Name} onCreate={() => change({ from: now })} />
            ) : (
              <One key={preview} zone={Name} name={preview} />
            )}
            <Creation zone={Name} />
          </>
        )}
      </OneZone>
    </>
  )
}

/** The dialog is open, and what is live is meant. */
const now = 'now'

function Creation({ zone }: { readonly zone: string }) {
  const [{ from }, change] = useSearch()
  if (from === undefined) return null
  return (
    <CreatePreview
      zone={zone}
      from={from === now ? undefined : from}
      onCreated={(name) => change({ from: undefined, zone, preview: name, file: undefined })}
      onClose={() => change({ from: undefined })}
    />
  )
}

function All({ zone, onCreate }: { readonly zone: string; readonly onCreate: () => void }) {
  const previews = useOperation('listPreviews', { id: zone })
  return (
    <QueryResult query={previews} label={t('The previews are loading')}>
      {({ Previews }) => <PreviewList previews={Previews} onCreate={onCreate} />}
    </QueryResult>
  )
}

function One({ zone, name }: { readonly zone: string; readonly name: string }) {
  const [, change] = useSearch()
  const preview = useOperation('getPreview', { id: zone, name }, { refetchEveryMs: 10_000 })
  const back = () => change({ preview: undefined, file: undefined })
  if (preview.isPending) return <Loading label={t('The preview is loading')} />
  if (preview.data === undefined)
    return (
      <EmptyState icon="branch" title={t('There is no preview {name}', { name })}>
        <p>{t('It was deleted, or has expired.')}</p>
        <p className="row">
          <Button onClick={back}>{t('Show all previews')}</Button>
        </p>
      </EmptyState>
    )
  return <PreviewPage preview={preview.data} onGone={back} />
}
