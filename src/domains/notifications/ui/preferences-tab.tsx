import { useLoaderData } from 'react-router'
import type { loader } from '../../accounts/ui/settings.tsx'
import { PreferencesForm } from './preferences-form.tsx'

export function NotificationsTab() {
  const { preferences } = useLoaderData<typeof loader>()
  return <PreferencesForm preferences={preferences} />
}
