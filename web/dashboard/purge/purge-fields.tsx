import { AreaField, CheckField } from '../parts/field.tsx'
import { Segments } from '../parts/segments.tsx'
import type { PurgeOrder } from './purge-order.ts'

const whats = [
  { value: 'urls', label: 'Addresses' },
  { value: 'tags', label: 'Tags' },
  { value: 'everything', label: 'Everything' },
] as const

const hints = {
  urls: 'One a line: full addresses, or paths of this service such as /acme/v1/logos/logo.svg.',
  tags: 'One a line: zone:acme, category:logos, or what a rule named with Cache-Tag.',
} as const

interface PurgeFieldsProps {
  readonly value: PurgeOrder
  readonly onChange: (value: PurgeOrder) => void
}

export const PurgeFields = ({ value, onChange }: PurgeFieldsProps) => (
  <>
    <div>
      <Segments
        label="What to purge"
        value={value.what}
        options={whats}
        onChange={(what) => onChange({ ...value, what })}
      />
    </div>
    {value.what === 'everything' ? (
      <p>Every edge asks for every asset again. It may serve slower for a while.</p>
    ) : (
      <AreaField
        label={value.what === 'urls' ? 'Addresses' : 'Tags'}
        hint={hints[value.what]}
        value={value.text}
        rows={6}
        spellCheck={false}
        onChange={(event) => onChange({ ...value, text: event.target.value })}
      />
    )}
    <CheckField
      label="Gently: serve what is there while it is fetched anew"
      checked={value.isSoft}
      onChange={({ target }) => onChange({ ...value, isSoft: target.checked })}
    />
  </>
)
