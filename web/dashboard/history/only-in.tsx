import { t } from '../language/text.ts'
import { TextField } from '../parts/forms/field.tsx'

interface OnlyInProps {
  readonly typed: string
  readonly onChange: (typed: string) => void
}

/** Keeps what is to be done to a part of the zone. */
export const OnlyIn = ({ typed, onChange }: OnlyInProps) => (
  <TextField
    label={t('Only in')}
    value={typed}
    placeholder={t('the whole zone')}
    hint={t('A folder or a file, such as icons. The rest of the zone stays as it is.')}
    spellCheck={false}
    autoCapitalize="none"
    onChange={({ target }) => onChange(target.value)}
  />
)
