import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'

import { AskButton, LateAssistant } from '../assistant/late-assistant.tsx'
import { t } from '../language/text.ts'
import type { PageName } from '../page-names.ts'
import { Bell } from '../notifications/bell.tsx'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../router.tsx'
import { DropAnywhere } from '../upload/drop/drop-anywhere.tsx'
import { ConnectionBar } from './connection-bar.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { Navigation } from './navigation.tsx'
import { PaletteButton, ShownOverlay } from './overlay.tsx'
import { useShortcuts } from './shortcuts/use-shortcuts.ts'
import { ThemeSwitch } from './theme-switch.tsx'
import { zoneInView } from './zone-in-view.ts'
import { usePrefetch } from './use-prefetch.ts'

const UploadTray = lazy(async () => ({
  default: (await import('../upload/tray/upload-tray.tsx')).UploadTray,
}))

interface ShellProps {
  readonly current: PageName | undefined
  readonly children: ReactNode
}

/** What stays while pages change: the navigation beside them, or above them on a narrow screen. */
export function Shell({ current, children }: ShellProps) {
  usePrefetch()
  useShortcuts()
  return (
    <>
      <a className="skip-link" href="#main">
        {t('Skip to the content')}
      </a>
      <DropAnywhere />
      <ShownOverlay />
      <div className="shell">
        <aside className="sidebar">
          <div className="brand-row">
            <Brand />
            <Bell />
          </div>
          <div className="find-row">
            <PaletteButton />
            <AskButton />
          </div>
          <Navigation current={current} />
          <Footer />
        </aside>
        <TopBar current={current} />
        <main id="main" className="main" tabIndex={-1}>
          <ConnectionBar />
          {children}
        </main>
        <LateAssistant zoneInView={zoneInView} />
      </div>
      <Suspense>
        <UploadTray />
      </Suspense>
    </>
  )
}

const Brand = () => (
  <Link page="overview" className="brand" aria-label={t('Sedge, overview')}>
    <Logo />
    <span>{t('Sedge')}</span>
  </Link>
)

const Footer = () => (
  <div className="sidebar-footer">
    <LanguageChoice />
    <ThemeSwitch />
    <form method="post" action="/dashboard/logout">
      <button type="submit" className="quiet-button sign-out" title={t('Sign out')}>
        <Icon name="exit" /> <span>{t('Sign out')}</span>
      </button>
    </form>
  </div>
)

/** On a narrow screen the navigation is a dialog, so that focus stays in it and Escape closes it. */
function TopBar({ current }: { readonly current: PageName | undefined }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.close(), [current])
  return (
    <header className="top-bar">
      <Brand />
      <PaletteButton />
      <AskButton />
      <Bell />
      <button
        type="button"
        className="icon-button"
        aria-label={t('Open the navigation')}
        onClick={() => dialog.current?.showModal()}
      >
        <Icon name="menu" />
      </button>
      <dialog ref={dialog} className="drawer" aria-label={t('Navigation')}>
        <div className="drawer-head">
          <Brand />
          <button
            type="button"
            className="icon-button"
            aria-label={t('Close the navigation')}
            onClick={() => dialog.current?.close()}
          >
            <Icon name="close" />
          </button>
        </div>
        <Navigation current={current} onFollow={() => dialog.current?.close()} />
        <Footer />
      </dialog>
    </header>
  )
}

/** Three blades of sedge that rise from the water. */
const Logo = () => (
  <svg className="logo" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
    <path className="logo-blade" d="M15.2 23C15.6 14 15.8 8 18.6 2.6 19.4 9.5 18.4 16 17.2 23z" />
    <path className="logo-blade" d="M13 23C12 16.5 9.8 12 5.4 8.6 7 15 9.6 19 10.8 23z" />
    <path className="logo-blade" d="M19.4 23C20.4 18.4 22.6 14.6 27 12 25.2 17 23 20 21.8 23z" />
    <path
      className="logo-water"
      d="M3 26.2c3.2-1.7 6-1.7 8.8 0s5.6 1.7 8.4 0 5.600-1.700 8.800 0"
    />
  </svg>
)
