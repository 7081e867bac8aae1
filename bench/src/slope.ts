/** How much `y` grows per `x`, by least squares; 0 of fewer than two points, or when all have the same `x`. */
export function slopeOf(points: readonly { readonly x: number; readonly y: number }[]): number {
  const mean = (of: 'x' | 'y'): number => points.reduce((sum, point) => sum + point[of], 0) / points.length;
  const [meanX, meanY] = [mean('x'), mean('y')];
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  const joint = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0);
  return spread === 0 ? 0 : joint / spread;
}
