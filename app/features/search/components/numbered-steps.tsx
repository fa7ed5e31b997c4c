/** Steps in a row, each with its number above. */
export function NumberedSteps({ steps }: { steps: readonly { title: string; text: string }[] }) {
  return (
    <ol className="grid gap-x-10 gap-y-9 sm:grid-cols-2 lg:grid-cols-4">
      {steps.map((step, index) => (
        <li key={step.title} className="border-t-2 border-brand pt-4">
          <p className="price text-2xl text-brand" aria-hidden="true">
            {index + 1}
          </p>
          <h3 className="mt-2 text-lg">{step.title}</h3>
          <p className="mt-2 text-quiet">{step.text}</p>
        </li>
      ))}
    </ol>
  )
}
