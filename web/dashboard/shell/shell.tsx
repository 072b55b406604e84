import { type ReactNode, useEffect, useRef } from 'react'

import type { PageName } from '../page-names.ts'
import { Icon } from '../parts/icon.tsx'
import { Logo } from '../parts/logo.tsx'
import { Link } from '../router.tsx'
import { DropAnywhere } from './drop-anywhere.tsx'
import { Navigation } from './navigation.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

interface ShellProps {
  readonly current: PageName | undefined
  readonly children: ReactNode
}

/** What stays while pages change: the navigation beside them, or above them on a narrow screen. */
export function Shell({ current, children }: ShellProps) {
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <DropAnywhere />
      <div className="shell">
        <aside className="sidebar">
          <Brand />
          <Navigation current={current} />
          <Footer />
        </aside>
        <TopBar current={current} />
        <main id="main" className="main" tabIndex={-1}>
          {children}
        </main>
      </div>
    </>
  )
}

const Brand = () => (
  <Link page="overview" className="brand" aria-label="Sedge, overview">
    <Logo />
    <span>Sedge</span>
  </Link>
)

const Footer = () => (
  <div className="sidebar-footer">
    <ThemeSwitch />
    <form method="post" action="/dashboard/logout">
      <button type="submit" className="quiet-button">
        <Icon name="exit" /> Sign out
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
      <button
        type="button"
        className="icon-button"
        aria-label="Open the navigation"
        onClick={() => dialog.current?.showModal()}
      >
        <Icon name="menu" />
      </button>
      <dialog ref={dialog} className="drawer" aria-label="Navigation">
        <div className="drawer-head">
          <Brand />
          <button
            type="button"
            className="icon-button"
            aria-label="Close the navigation"
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
