import { categoryColours, type AttributeSummary } from '@platen/styles/style-attribute';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { attributes, show } from './testing-style-form.ts';
import '../main.css';

type Styled = Awaited<ReturnType<typeof show>>;
const categoriesOf = ({ value: { colour } }: Styled) =>
  colour.type === 'categories' ? colour.categories : [];
const valuesOf = (style: Styled) => categoriesOf(style).map(({ values }) => values.join('+'));
const button = (name: string) => page.getByRole('button', { name, exact: true });

async function press(name: string): Promise<void> {
  (button(name).element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
}
async function select(name: string): Promise<void> {
  (page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).element() as HTMLElement).focus();
  await userEvent.keyboard(' ');
}

test('categories are moved, merged, split and removed by the keyboard alone', async () => {
  const style = await show({ colour: categoryColours(attributes[0]!) });
  expect(valuesOf(style)).toEqual(['home', 'school', 'work']);
  await select('work');
  await press('Move up');
  await userEvent.keyboard('{Enter}{Enter}');
  expect(valuesOf(style)).toEqual(['work', 'home', 'school']);
  await expect.element(page.getByText('work: 1 of 3')).toBeInTheDocument();
  await select('school');
  await press('Merge into one');
  expect(valuesOf(style)).toEqual(['work+school', 'home']);
  // the merged category has one title, which is typed next
  await userEvent.keyboard('Day');
  await userEvent.tab();
  expect(categoriesOf(style)[0]).toMatchObject({ values: ['work', 'school'], title: 'Day' });
  await press('Split into single values');
  expect(valuesOf(style)).toEqual(['work', 'school', 'home']);
  expect(new Set(categoriesOf(style).map(({ colour }) => colour)).size).toBe(3);
  await select('home');
  await press('Remove');
  expect(valuesOf(style)).toEqual(['work', 'school']);
  await expect
    .element(page.getByText('1 value of the data has no category: home. It is drawn as “Other”.'))
    .toBeVisible();
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Select school');
});

test('a category is added for a typed value, and what is none is refused with a reason', async () => {
  const style = await show({ colour: categoryColours({ ...attributes[2]!, values: [2, 10] }) });
  const value = page.getByLabelText('Value of a new category');
  await value.fill('tall');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('alert')).toHaveTextContent('Enter a number.');
  expect(value.element().getAttribute('aria-invalid')).toBe('true');
  await value.fill('10');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('alert')).toHaveTextContent('A category has this value already.');
  await value.fill('7.5');
  await userEvent.keyboard('{Enter}');
  expect(categoriesOf(style).map(({ values }) => values)).toEqual([[2], [10], [7.5]]);
  await expect.element(value).toHaveValue('');
});

test('an attribute of very many values has a form of those that have a category, and others are typed', async () => {
  const values = Array.from({ length: 10_000 }, (_, i) => `Parcel ${i}`);
  const parcel: AttributeSummary = { name: 'parcel', type: 'string', count: values.length, values };
  const style = await show({ colour: categoryColours(parcel) }, 'area', { attributes: [parcel] });
  await expect.element(button('Move up')).toBeVisible();
  await page.getByLabelText('Value of a new category').fill('Parcel 9876');
  await userEvent.keyboard('{Enter}');
  expect(valuesOf(style).at(-1)).toBe('Parcel 9876');
  await expect.element(page.getByText(/^9987 values of the data have no category/)).toBeVisible();
});
