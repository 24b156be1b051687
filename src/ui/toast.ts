import type { ExternalToast } from 'sonner'

type Kind = 'success' | 'error' | 'warning' | 'info' | 'loading'

/** How often the Toaster was asked for; it is fetched with the first wish. */
export const toasterWishes = {
  count: 0,
  listeners: new Set<() => void>(),
  add() {
    toasterWishes.count += 1
    for (const listener of toasterWishes.listeners) listener()
  },
}

// sonner hands toasts that came before the Toaster to it later.
function show(kind: Kind) {
  return async (message: string, options?: ExternalToast) => {
    toasterWishes.add()
    const { toast } = await import('sonner')
    return toast[kind](message, options)
  }
}

/**
 * A short message that leaves by itself. Say success only after the server did. A failure inside
 * a dialog belongs into the dialog: toasts lie under it. Returns a promise of the toast's id;
 * pass it as `id` to replace that toast.
 */
export const toast = {
  success: show('success'),
  error: show('error'),
  warning: show('warning'),
  info: show('info'),
  loading: show('loading'),
}
