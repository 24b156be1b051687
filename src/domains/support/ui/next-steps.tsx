/** What becomes of a request, in the order in which it happens. */
export function NextSteps({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <section aria-labelledby="next-steps" className="grid gap-3">
      <h2 id="next-steps" className="text-lg">
        What happens next
      </h2>
      <ol className="grid list-decimal gap-2 pl-5 text-muted marker:font-semibold">
        <li>
          Your request goes into the queue that our team works through: requests with Pro first,
          then who waits longest.
        </li>
        {isSignedIn ? (
          <>
            <li>When it is answered, you get a notification and an email.</li>
            <li>You can write more on the page of your request at any time, or close it.</li>
          </>
        ) : (
          <>
            <li>You get an email that it arrived, and the answer by email.</li>
            <li>To add something, write to us again with this form.</li>
          </>
        )}
      </ol>
    </section>
  )
}
