import { Banner } from '../../../../ui/banner.tsx'
import { Button } from '../../../../ui/button.tsx'
import { forgetDrafts } from '../../../courses/ui/content-local-store.ts'
import { freshMinutes } from '../../leaving-rules.ts'

/** For accounts without a password, whose log-in is too long ago to be the proof. */
export function LogInAgain() {
  return (
    <Banner
      tone="warning"
      title="Please log in again first"
      action={
        <form action="/logout" method="post" onSubmit={forgetDrafts}>
          <input type="hidden" name="to" value="/login?to=%2Fsettings%2Fdelete-account" />
          <Button type="submit" variant="secondary">
            Sign Out
          </Button>
        </form>
      }
    >
      You log in without a password, so a fresh log-in has to show that it is you. Sign out and log
      in; you come back here, and can go on for {freshMinutes} minutes.
    </Banner>
  )
}
