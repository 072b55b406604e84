import { useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { Choices } from '../parts/forms/choices.tsx'
import { CheckField, TextField } from '../parts/forms/field.tsx'
import { eventOptions, type WebhookEvent } from './events.ts'

export interface WebhookForm {
  readonly url: string
  readonly isAllEvents: boolean
  readonly events: ReadonlySet<WebhookEvent>
  /** None: all zones. */
  readonly zones: ReadonlySet<string>
  readonly isOrdered: boolean
}

export const emptyForm: WebhookForm = {
  url: '',
  isAllEvents: false,
  events: new Set(),
  zones: new Set(),
  isOrdered: false,
}

/** As the operations take it. */
export const bodyOf = ({ url, isAllEvents, events, zones, isOrdered }: WebhookForm) => ({
  url,
  events: isAllEvents ? (['*'] satisfies ['*']) : [...events],
  zones: zones.size === 0 ? null : [...zones],
  ordered: isOrdered,
})

export const isComplete = ({ url, isAllEvents, events }: WebhookForm): boolean =>
  url !== '' && (isAllEvents || events.size > 0)

interface WebhookFieldsProps {
  readonly value: WebhookForm
  readonly onChange: (value: WebhookForm) => void
}

export function WebhookFields({ value, onChange }: WebhookFieldsProps) {
  const zones = useOperation('listZones', {})
  const names = new Set([...(zones.data ?? []).map(({ Name }) => Name), ...value.zones])
  return (
    <>
      <TextField
        label={t('URL')}
        type="url"
        value={value.url}
        placeholder="https://"
        maxLength={2048}
        spellCheck={false}
        onChange={({ target }) => onChange({ ...value, url: target.value })}
      />
      <CheckField
        label={t('All events, also those that are added later')}
        checked={value.isAllEvents}
        onChange={({ target }) => onChange({ ...value, isAllEvents: target.checked })}
      />
      {!value.isAllEvents && (
        <Choices
          title={t('Events')}
          options={eventOptions}
          chosen={value.events}
          onChange={(events) => onChange({ ...value, events })}
        />
      )}
      {names.size > 0 && (
        <Choices
          title={t('Zones; all where none is chosen')}
          options={[...names].map((name) => ({ value: name, label: name }))}
          chosen={value.zones}
          onChange={(chosen) => onChange({ ...value, zones: chosen })}
        />
      )}
      <CheckField
        label={t('One event after the other, in order; one that fails holds the next ones back')}
        checked={value.isOrdered}
        onChange={({ target }) => onChange({ ...value, isOrdered: target.checked })}
      />
    </>
  )
}
