import type { ExternalToast } from 'sonner'

type Kind = 'success' | 'error' | 'warning' | 'info' | 'loading'

// sonner is fetched by the first toast or by the Toaster, whichever comes first, and hands toasts
// that came early to the Toaster later.
function show(kind: Kind) {
  return async (message: string, options?: ExternalToast) => {
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
