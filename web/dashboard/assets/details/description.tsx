import { useState } from 'react'

import { t } from '../../language/text.ts'
import { Button } from '../../parts/forms/button.tsx'
import { humanTime } from '../../parts/format.ts'
import type { AssetMetadata } from '../asset.ts'
import { DescribeAsset } from './describe-asset.tsx'

/** What is said of an asset, by persons and by the file itself. */
export function Description({ asset }: { readonly asset: AssetMetadata }) {
  const [isOpen, setOpen] = useState(false)
  const facts = factsOf(asset.Metadata)
  return (
    <section>
      <div className="spread">
        <h3>{t('Description')}</h3>
        <Button
          kind="quiet"
          icon="pencil"
          needs={{ scope: ['metadata:write', 'storage:write'], zone: asset.Project }}
          onClick={() => setOpen(true)}
        >
          {t('Describe')}
        </Button>
      </div>
      {facts.length === 0 ? (
        <p className="fine-print">{t('Nothing is said of it yet.')}</p>
      ) : (
        <dl className="facts">
          {facts.map(([name, text]) => (
            <div key={name} className="fact">
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
      {asset.MetadataFault !== null && <p className="note">{asset.MetadataFault}</p>}
      {isOpen && <DescribeAsset asset={asset} onClose={() => setOpen(false)} />}
    </section>
  )
}

function factsOf(metadata: AssetMetadata['Metadata']): readonly (readonly [string, string])[] {
  const { Title, Alt, Description: text, Tags, Copyright, Licence, Expires, Custom } = metadata
  const said: readonly (readonly [string, string | null])[] = [
    [t('Title'), Title],
    ...Object.entries(Alt).map(
      ([language, alt]) => [t('Alternative text ({language})', { language }), alt] as const,
    ),
    [t('Description'), text],
    [t('Tags'), Tags.join(', ')],
    [t('Copyright'), Copyright],
    [t('Licence'), Licence],
    [t('Expires'), Expires === null ? null : humanTime(Expires)],
    ...Object.entries(Custom).map(
      ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
    ),
  ]
  return said.flatMap(([name, value]) =>
    value === null || value === '' ? [] : [[name, value] as const],
  )
}
