import { classColours, continuousColours } from '@platen/styles/style-attribute';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { attributes, enter, show } from './testing-style-form.ts';
import '../main.css';

test('an attribute of few texts becomes categories, whose colours and titles can be changed', async () => {
  const style = await show();
  await page.getByLabelText('Colour by').selectOptions('use');
  await enter('Legend text of home', 'Housing');
  await page.getByLabelText('Palette').selectOptions('Dark2');
  const { colour } = style.value;
  expect(colour).toMatchObject({ type: 'categories', attribute: 'use', palette: 'Dark2' });
  expect(
    colour.type === 'categories' && colour.categories.map(({ title, values }) => title ?? values[0]),
  ).toEqual(['Housing', 'school', 'work']);
});

test('a palette says when its colours repeat, and is safe for colour blindness up to a number of colours', async () => {
  await show();
  await page.getByLabelText('Colour by').selectOptions('use');
  await page.getByLabelText('Palette').selectOptions('Set2 (safe for colour blindness)');
  await page.getByLabelText('Colour by').selectOptions('species');
  await expect.element(page.getByText(/colours repeat/)).not.toBeInTheDocument();
  await page.getByLabelText('Palette').selectOptions('Set2');
  await expect
    .element(page.getByText('8 colours for 11 categories: colours repeat.', { exact: true }))
    .toBeVisible();
  await page.getByLabelText('Palette').selectOptions('Blues (safe for colour blindness)');
  await expect.element(page.getByText(/colours repeat/)).not.toBeInTheDocument();
});

test('a single colour has a text in the legend, unless that is the title of the layer', async () => {
  const style = await show();
  await enter('Legend text', 'Trees');
  expect(style.value.colour).toEqual({ type: 'single', colour: '#0e6b78', title: 'Trees' });
  await enter('Legend text', ' ');
  expect(style.value.colour).toEqual({ type: 'single', colour: '#0e6b78' });
});

test('a number becomes classes by quantiles, whose limits stay in order', async () => {
  const style = await show();
  await page.getByLabelText('Colour by').selectOptions('height');
  await enter('Number of classes', '3');
  await enter('From, class 2', '5');
  await enter('From, class 3', '1');
  await page.getByRole('checkbox', { name: 'Outline' }).click();
  const { colour, outline } = style.value;
  expect(colour.type === 'classes' && [colour.method, colour.breaks[1], colour.breaks.length]).toEqual([
    'own',
    5,
    4,
  ]);
  expect(colour.type === 'classes' && colour.breaks).toEqual(
    colour.type === 'classes' && colour.breaks.toSorted((one, other) => one - other),
  );
  expect(outline).toBe(null);
});

test('a rule that was left comes back as it was', async () => {
  const style = await show();
  const by = page.getByLabelText('Colour by');
  await by.selectOptions('use');
  await enter('Legend text of home', 'Housing');
  await by.selectOptions('height');
  await by.selectOptions('use');
  expect(style.value.colour.type === 'categories' && style.value.colour.categories[0]!.title).toBe('Housing');
});

test('attributes that the data no longer have are named', async () => {
  await show({
    colour: { type: 'categories', attribute: 'former', categories: [] },
    label: { attribute: 'use' },
  });
  await expect.element(page.getByText(/^Not in the data: former\./)).toBeVisible();
});

test('areas may be hatched; a hatch that only our viewer draws says so', async () => {
  const style = await show(undefined, 'area');
  await page.getByLabelText('Hatch', { exact: true }).selectOptions('slash');
  await enter('Spacing (pixels)', '14');
  expect(style.value.hatch).toEqual({ type: 'slash', spacing: 14 });
  await page.getByLabelText('Colour by').selectOptions('use');
  await expect.element(page.getByText(/^Other viewers than that of Platen draw hatches only/)).toBeVisible();
  expect(style.value.hatch).toEqual({ type: 'slash', spacing: 14 });
  await page.getByLabelText('Hatch', { exact: true }).selectOptions('');
  expect(style.value.hatch).toBeUndefined();
});

test('sizes and labels follow attributes', async () => {
  const style = await show();
  await page.getByLabelText('Size by').selectOptions('height');
  await enter('Largest (pixels)', '40');
  await page.getByLabelText('Label by').selectOptions('use');
  await enter('Drawn up to (km)', '2.5');
  await enter('Drawn up to (km)', 'far');
  await page.getByLabelText('Font').selectOptions('Serif');
  await page.getByLabelText('More important by').selectOptions('height');
  await page.getByLabelText('First come').selectOptions('the lowest values');
  await page.getByLabelText('Place of the label').selectOptions('Left');
  await enter('Drawn from zoom', '25');
  await enter('Drawn from zoom', '9.5');
  expect(style.value).toMatchObject({
    size: { type: 'continuous', attribute: 'height', from: { value: 2 }, to: { value: 90, size: 40 } },
    label: {
      attribute: 'use',
      maxDistance: 2500,
      isBold: true,
      font: 'serif',
      rank: { attribute: 'height', first: 'lowest' },
      placement: 'left',
      minZoom: 9.5,
    },
  });
});

test('sizes follow classes, whose limits, sizes and legend texts can be changed', async () => {
  const style = await show();
  await page.getByLabelText('Size by').selectOptions('height');
  await enter('Smallest (pixels)', '4');
  await page.getByRole('group', { name: 'Size scale' }).getByText('Classes').click();
  await page.getByLabelText('Classes by').selectOptions('Equal widths');
  await enter('Number of classes', '3');
  expect(style.value.size).toMatchObject({ method: 'equal', attribute: 'height', sizes: [4, 18, 32] });
  await enter('From, class 2', '12');
  await enter('From, class 3', '1');
  await page.getByLabelText(/^Size of 12 –/).fill('20');
  await userEvent.tab();
  await page.getByLabelText(/^Legend text of 12 –/).fill('Tall');
  await userEvent.tab();
  const { size } = style.value;
  expect(size).toMatchObject({ method: 'own', sizes: [4, 20, 32], titles: ['', 'Tall', ''] });
  expect(size?.type === 'classes' && size.breaks[1]).toBe(12);
  await page.getByRole('group', { name: 'Size scale' }).getByText('Continuous').click();
  expect(style.value.size).toMatchObject({ type: 'continuous', from: { value: 2, size: 4 } });
  await page.getByRole('group', { name: 'Size scale' }).getByText('Classes').click();
  expect(style.value.size).toEqual(size);
});

test('areas and lines have labels, but not the parts of them in tiles', async () => {
  const style = await show(undefined, 'area');
  await page.getByLabelText('Label by').selectOptions('use');
  expect(style.value.label).toEqual({ attribute: 'use', isBold: true });
  await page.getByLabelText('Bold').click();
  expect(style.value.label).toEqual({ attribute: 'use' });
  await expect.element(page.getByLabelText('Place of the label')).not.toBeInTheDocument();
  await show(undefined, 'line', { isTiled: true });
  await expect.element(page.getByText(/^Tiles hold parts of lines and areas/)).toBeVisible();
});

test('sizes change with the zoom, in pixels or as a share of those by an attribute', async () => {
  const style = await show();
  await page.getByLabelText('Changes with the zoom').click();
  await enter('Size (pixels)', '20');
  await enter('Far (pixels)', '5');
  await enter('up to zoom', '12');
  expect(style.value).toMatchObject({ size: { size: 20 }, zoomSize: { far: 12, near: 13, share: 0.25 } });
  await page.getByLabelText('Size by').selectOptions('height');
  await enter('Far (%)', '1');
  expect(style.value.zoomSize).toEqual({ far: 12, near: 13, share: 0.05 });
  await page.getByLabelText('Changes with the zoom').click();
  expect(style.value).not.toHaveProperty('zoomSize');
});

test('a form that is opened again knows a reversed palette, and refuses what is no number', async () => {
  const style = await show({
    colour: classColours(attributes[2]!, { palette: 'Viridis', isReversed: true }),
  });
  await expect.element(page.getByLabelText('Reverse colours')).toBeChecked();
  await page.getByLabelText('Palette').selectOptions('Blues');
  await expect.element(page.getByLabelText('Reverse colours')).toBeChecked();
  await enter('Size (pixels)', '500');
  expect(style.value.size).toEqual({ type: 'single', size: 200 });
  await enter('Size (pixels)', '');
  await expect.element(page.getByLabelText('Size (pixels)')).toHaveValue(200);
});

test('only features that meet all conditions are drawn, and what is no number is not taken', async () => {
  const style = await show();
  await page.getByLabelText('Add a condition').selectOptions('height');
  await page.getByLabelText('Comparison of height').selectOptions('is at least');
  await enter('Value of height', '12');
  await page.getByLabelText('Add a condition').selectOptions('use');
  await page.getByLabelText('Comparison of use').selectOptions('is one of');
  await enter('Values of use, one per line', 'home\nwork');
  const filter = [
    { attribute: 'height', operator: '>=', values: [12] },
    { attribute: 'use', operator: 'in', values: ['home', 'work'] },
  ];
  expect(style.value.filter).toEqual(filter);
  await enter('Value of height', 'tall');
  await expect.element(page.getByText('Enter a number.')).toBeVisible();
  expect(style.value.filter).toEqual(filter);
  await page.getByLabelText('Remove the condition on height').click();
  await page.getByLabelText('Remove the condition on use').click();
  expect(style.value).not.toHaveProperty('filter');
});

test('points and categories have icons', async () => {
  const style = await show();
  await page.getByRole('button', { name: 'Icon: No icon' }).click();
  await page.getByLabelText('Search icons (English names)').fill('school');
  await page.getByRole('button', { name: 'school', exact: true }).click();
  expect(style.value.icon).toMatchObject({ name: 'school' });
  await expect.element(page.getByLabelText('Size (pixels)')).toHaveValue(24);
  await page.getByLabelText('Colour by').selectOptions('use');
  await page.getByRole('button', { name: 'Icon of home: No icon' }).click();
  await page.getByLabelText('Search icons (English names)').fill('home');
  await page.getByRole('button', { name: 'home', exact: true }).click();
  const { colour } = style.value;
  expect(colour.type === 'categories' && colour.categories.map(({ icon }) => icon?.name)).toEqual([
    'home',
    undefined,
    undefined,
  ]);
});

test('categories of objects are hidden and isolated, and points of a cloud keep a size', async () => {
  const style = await show(undefined, 'cloud');
  await page.getByLabelText('Colour by').selectOptions('use');
  await page.getByRole('button', { name: 'Hide: home' }).click();
  expect(style.value.filter).toEqual([{ attribute: 'use', operator: 'notIn', values: ['home'] }]);
  await page.getByRole('button', { name: 'Show only this: work' }).click();
  expect(style.value.filter).toEqual([{ attribute: 'use', operator: 'in', values: ['work'] }]);
  await expect.element(page.getByRole('button', { name: 'Show: school' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all again: work' }).click();
  expect(style.value.filter).toBeUndefined();
  await page.getByLabelText('Point size').selectOptions('Fixed, in pixels');
  await enter('Size (pixels)', '4');
  expect(style.value.size).toEqual({ type: 'single', size: 4 });
  await page.getByLabelText('Point size').selectOptions('Automatic: without holes');
  expect(style.value).not.toHaveProperty('size');
});

test('the ends of continuous colours are typed in ascending order, and come back from the data', async () => {
  const style = await show({ colour: continuousColours(attributes[2]!, { palette: 'RdBu' }) });
  const values = () => {
    const { colour } = style.value;
    return colour.type === 'continuous' ? colour.stops.map(({ value }) => value) : [];
  };
  expect(values()).toEqual([2, 24, 46, 68, 90]);
  await enter('Middle', '20');
  expect(values()).toEqual([2, 11, 20, 55, 90]);
  await enter('Lowest', '100');
  await expect.element(page.getByText(/^The numbers have to ascend/)).toBeVisible();
  expect(values()[0]).toBe(2);
  await enter('Middle', '150');
  await enter('Highest', '200');
  expect(values()).toEqual([100, 125, 150, 175, 200]);
  await expect.element(page.getByText('In the data: 2 to 90')).toBeVisible();
  await page.getByRole('button', { name: 'From the data' }).click();
  expect(values()).toEqual([2, 24, 46, 68, 90]);
  await page.getByLabelText('Palette').selectOptions('Viridis (safe for colour blindness)');
  await expect.element(page.getByLabelText('Middle')).not.toBeInTheDocument();
});

test('the heading of a legend is the readable name of the attribute, another text, or none', async () => {
  const style = await show({ colour: classColours(attributes[2]!) });
  await expect.element(page.getByRole('textbox', { name: 'Heading in the legend' })).toHaveValue('');
  await page.getByRole('textbox', { name: 'Heading in the legend' }).fill('Height of eaves (m)');
  await userEvent.tab();
  expect(style.value.colour).toMatchObject({ heading: 'Height of eaves (m)' });
  await page.getByLabelText('Classes by').selectOptions('Equal widths');
  expect(style.value.colour).toMatchObject({ method: 'equal', heading: 'Height of eaves (m)' });
  await page.getByRole('checkbox', { name: 'Name the attribute in the legend' }).click();
  expect(style.value.colour).toMatchObject({ heading: '' });
  await page.getByRole('checkbox', { name: 'Name the attribute in the legend' }).click();
  expect(style.value.colour).not.toHaveProperty('heading');
});
