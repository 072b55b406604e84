import { useEffect, useSyncExternalStore } from 'react'

import { connection, tryConnectionNow, watchNetwork } from '../api/connection.ts'
import { t } from '../language/text.ts'
import { Icon } from '../parts/icon.tsx'
import { Button } from '../parts/forms/button.tsx'

/** Says above every page that the service cannot be reached, and that what is missing comes by itself. */
export function ConnectionBar() {
  const isLost = useSyncExternalStore(connection.subscribe, connection.isLost)
  useEffect(watchNetwork, [])
  return (
    <div role="status" className="connection-status">
      {isLost && (
        <div className="connection-bar">
          <Icon name="alert" />
          <p>{t('No connection, trying again')}</p>
          <Button onClick={tryConnectionNow}>{t('Try now')}</Button>
        </div>
      )}
    </div>
  )
}
