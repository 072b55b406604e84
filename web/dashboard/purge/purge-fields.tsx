import { t } from '../language/text.ts'
import { AreaField, CheckField } from '../parts/forms/field.tsx'
import { Segments } from '../parts/forms/segments.tsx'
import { faultOf, type PurgeOrder, withLine } from './purge-order.ts'
import { UrlPicker, TagPickers } from './purge-pickers.tsx'

const whats = [
  { value: 'urls', label: t('URLs') },
  { value: 'tags', label: t('Tags') },
  { value: 'everything', label: t('Everything') },
] as const

const hints = {
  urls: t(
    'One a line: full URLs, or paths of this service such as /acme/v1/logos/logo.svg. Transforms of an asset go with it.',
  ),
  tags: t(
    'One a line: zone-acme, category-logos, format-svg, or what a rule named with Cache-Tag.',
  ),
} as const

interface PurgeFieldsProps {
  readonly value: PurgeOrder
  readonly onChange: (value: PurgeOrder) => void
}

export const PurgeFields = ({ value, onChange }: PurgeFieldsProps) => (
  <>
    <div>
      <Segments
        label={t('What to purge')}
        value={value.what}
        options={whats}
        onChange={(what) => onChange({ ...value, what })}
      />
    </div>
    {value.what === 'everything' ? (
      <p>{t('Every edge asks for every asset again. It may serve slower for a while.')}</p>
    ) : (
      <Items what={value.what} value={value} onChange={onChange} />
    )}
    <CheckField
      label={t('Gently: serve what is there while it is fetched anew')}
      checked={value.isSoft}
      onChange={({ target }) => onChange({ ...value, isSoft: target.checked })}
    />
  </>
)

function Items({
  what,
  value,
  onChange,
}: PurgeFieldsProps & { readonly what: Exclude<PurgeOrder['what'], 'everything'> }) {
  const change = (text: string) => onChange({ ...value, [what]: text })
  const add = (line: string) => change(withLine(value[what], line))
  return (
    <>
      {what === 'urls' ? <UrlPicker onPick={add} /> : <TagPickers onPick={add} />}
      <AreaField
        label={what === 'urls' ? t('URLs') : t('Tags')}
        hint={hints[what]}
        fault={faultOf(value)}
        value={value[what]}
        rows={6}
        spellCheck={false}
        onChange={(event) => change(event.target.value)}
      />
    </>
  )
}
