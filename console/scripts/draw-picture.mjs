// Draws the photo that a customer sends: a parcel on a porch in the evening.
const SIZE = { width: 640, height: 480 };
const SCENE = `
  <body style="margin: 0; background: linear-gradient(#f6c48b, #e98a72 55%, #6d4c5f 55%, #4a3546)">
    <div style="position: absolute; left: 60px; top: 60px; width: 150px; height: 300px; border: 10px solid #fff3e2; background: #2f5d62"></div>
    <div style="position: absolute; left: 300px; top: 220px; width: 230px; height: 170px; background: #c9965b; box-shadow: 0 18px 30px #2a1c26">
      <div style="position: absolute; left: 95px; width: 40px; height: 170px; background: #e3bd86"></div>
      <div style="position: absolute; left: 20px; top: 100px; width: 60px; height: 44px; background: #fff8ec"></div>
    </div>
  </body>`;

/** @returns a PNG. @param {import('playwright-core').Browser} browser that draws it */
export async function drawPicture(browser) {
  const page = await browser.newPage({ viewport: SIZE });
  await page.setContent(SCENE);
  const picture = await page.screenshot();
  await page.close();
  return picture;
}
