#include "kinds/body_elements.h"

#include "kinds/coefficients.h"

/* --- mass and buoyancy --- */

static const char *const about_names[] = {"origin", "centre", NULL};
static const fm_attr mass_attrs[] = {
    FM_REAL_ATTR(fm_mass_config, mass, "mass", "kg", 1e-6, 1e9, NULL, 0, "mass (this or weight)"),
    FM_REAL_ATTR(fm_mass_config, weight, "weight", "N", 1e-6, 1e10, NULL, 0, "weight W; the mass is W/g"),
    FM_VECTOR_ATTR(fm_mass_config, centre, 3, "centre", "m", -1e3, 1e3, "0 0 0 m", 0,
                   "centre of gravity from the body origin"),
    FM_VECTOR_ATTR(fm_mass_config, inertia, 3, "inertia", "kg*m2", 0, 1e12, NULL, FM_ATTR_REQUIRED,
                   "moments of inertia about x, y and z (6.55)-(6.57)"),
    FM_VECTOR_ATTR(fm_mass_config, products, 3, "products", "kg*m2", -1e12, 1e12, "0 0 0 kg*m2", 0,
                   "products of inertia: integrals of xy, xz and yz dm (6.58)-(6.60)"),
    FM_CHOICE_ATTR(fm_mass_config, about, about_names, "about", "origin", 0,
                   "the point that the inertia refers to: the body origin or the centre of gravity"),
};
static const fm_element mass_element =
    FM_TABLE_ELEMENT(fm_mass_config, "mass", mass_attrs, NULL, FM_ELEMENT_ONCE, "Mass, centre of gravity and inertia.");

static const fm_attr component_attrs[] = {
    FM_NAME_ATTR(fm_component_config, name, "name", NULL, FM_ATTR_REQUIRED, "what it is"),
    FM_REAL_ATTR(fm_component_config, mass, "mass", "kg", 1e-9, 1e9, NULL, 0, "mass (this, weight or flooded)"),
    FM_REAL_ATTR(fm_component_config, weight, "weight", "N", 1e-9, 1e10, NULL, 0, "weight in air"),
    FM_REAL_ATTR(fm_component_config, volume, "flooded", "m3", 1e-9, 1e6, NULL, 0,
                 "volume of free-flood water: mass that moves with the hull but weighs nothing in water"),
    FM_VECTOR_ATTR(fm_component_config, centre, 3, "centre", "m", -1e3, 1e3, NULL, FM_ATTR_REQUIRED,
                   "centre of mass from the body origin"),
    FM_VECTOR_ATTR(fm_component_config, size, 3, "size", "m", 0, 1e3, "0 0 0 m", 0,
                   "sides of a uniform box; 0 0 0 is a point mass"),
};
static const fm_element component_element =
    FM_TABLE_ELEMENT(fm_component_config, "component", component_attrs, NULL, 0,
                     "One component of a vehicle whose mass properties are summed "
                     "from a list (6.55)-(6.60), free-flood water included.");

static const fm_attr buoyancy_attrs[] = {
    FM_REAL_ATTR(fm_buoyancy_config, force, "force", "N", 0, 1e10, NULL, 0,
                 "buoyancy B in the scenario's nominal water density (this or volume; neither: equal to the weight)"),
    FM_REAL_ATTR(fm_buoyancy_config, volume, "volume", "m3", 0, 1e6, NULL, 0, "displaced volume"),
    FM_VECTOR_ATTR(fm_buoyancy_config, centre, 3, "centre", "m", -1e3, 1e3, "0 0 0 m", 0,
                   "centre of buoyancy from the body origin"),
    FM_REAL_ATTR(fm_buoyancy_config, compression, "compression", "1/m", 0, 1e-2, "0 1/m", 0,
                 "part of the buoyancy lost per metre of depth by compression of the hull"),
    FM_REAL_ATTR(
        fm_buoyancy_config, expansion, "expansion", "1/K", -1e-2, 1e-2, "0 1/K", 0,
        "part of the buoyancy gained per kelvin by thermal expansion of the hull (V7), which has the temperature "
        "of the water around it"),
    FM_REAL_ATTR(fm_buoyancy_config, warmth, "reference-temperature", "degC", -3, 50, "15 degC", 0,
                 "temperature of the water in which the hull has this buoyancy"),
};
static const fm_element buoyancy_element = FM_TABLE_ELEMENT(
    fm_buoyancy_config, "buoyancy", buoyancy_attrs, NULL, FM_ELEMENT_ONCE,
    "Buoyancy of the wholly submerged hull. Without this element the vehicle is neutral, its centre of "
    "buoyancy the origin.");

/* --- added mass --- */

#define DOT(row, i, column, k)                                                                                         \
    FM_REAL_ATTR(fm_added_mass_config, c[i][k], #row "_" #column "dot", "", 0, 0, NULL, 0,                             \
                 "added mass of " #column " acceleration in the equation of " #row ", dimensionless")
#define DOTS(row, i)                                                                                                   \
    DOT(row, i, u, 0), DOT(row, i, v, 1), DOT(row, i, w, 2), DOT(row, i, p, 3), DOT(row, i, q, 4), DOT(row, i, r, 5)
static const fm_attr added_mass_attrs[] = {
    FM_REAL_ATTR(fm_added_mass_config, length, "length", "m", 1e-3, 1e3, NULL, FM_ATTR_REQUIRED,
                 "length L that makes the coefficients dimensionless"),
    DOTS(X, 0),
    DOTS(Y, 1),
    DOTS(Z, 2),
    DOTS(K, 3),
    DOTS(M, 4),
    DOTS(N, 5),
};
static const fm_element added_mass_element = FM_TABLE_ELEMENT(
    fm_added_mass_config, "added-mass", added_mass_attrs, NULL, FM_ELEMENT_ONCE,
    "Added mass by dimensionless coefficients (6.54): the mass matrix gains -rho/2 L^n times the coefficient, n = 3 "
    "for force and velocity, 4 for force and rate or moment and velocity, 5 for moment and rate.");

static const fm_attr added_matrix_attrs[] = {
    FM_VECTOR_ATTR(fm_added_matrix_config, linear, 3, "linear", "kg", 0, 1e9, "0 0 0 kg", 0,
                   "added mass in surge, sway and heave, positive"),
    FM_VECTOR_ATTR(fm_added_matrix_config, angular, 3, "angular", "kg*m2", 0, 1e12, "0 0 0 kg*m2", 0,
                   "added inertia in roll, pitch and yaw, positive"),
    FM_LIST_ATTR(fm_added_matrix_config, linear_full, 9, "linear-full", "kg", 0, 0, 0,
                 "9 numbers by row, instead of linear"),
    FM_LIST_ATTR(fm_added_matrix_config, coupled, 9, "coupled", "kg*m", 0, 0, 0,
                 "9 numbers by row: force from turning (upper right); the lower left is its transpose"),
    FM_LIST_ATTR(fm_added_matrix_config, angular_full, 9, "angular-full", "kg*m2", 0, 0, 0,
                 "9 numbers by row, instead of angular"),
};
static const fm_element added_matrix_element = FM_TABLE_ELEMENT(
    fm_added_matrix_config, "added-mass-matrix", added_matrix_attrs, NULL, FM_ELEMENT_ONCE,
    "Added mass in SI units: diagonal or full 6x6 in blocks. Positive numbers are mass that moves with the hull.");

static const fm_attr spheroid_attrs[] = {
    FM_REAL_ATTR(fm_spheroid_config, length, "length", "m", 1e-3, 1e3, NULL, FM_ATTR_REQUIRED,
                 "length along the axis of revolution (body x)"),
    FM_REAL_ATTR(fm_spheroid_config, diameter, "diameter", "m", 1e-3, 1e3, NULL, FM_ATTR_REQUIRED, "greatest diameter"),
};
static const fm_element spheroid_element =
    FM_TABLE_ELEMENT(fm_spheroid_config, "spheroid", spheroid_attrs, NULL, FM_ELEMENT_ONCE,
                     "Added mass of a spheroid in ideal fluid with Lamb's k-factors, in addition to other added mass.");

/* --- hull --- */

static const char *const rule_names[] = {"gauss", "midpoint", "equal", NULL};
static const fm_attr cross_flow_attrs[] = {
    FM_LIST_ATTR(fm_cross_flow_config, x, 256, "x", "m", -1e3, 1e3, FM_ATTR_REQUIRED, "stations from tail to nose"),
    FM_LIST_ATTR(fm_cross_flow_config, height, 256, "height", "m", 0, 1e3, FM_ATTR_REQUIRED,
                 "height h(x) of the hull along z at each station"),
    FM_LIST_ATTR(fm_cross_flow_config, breadth, 256, "breadth", "m", 0, 1e3, FM_ATTR_REQUIRED,
                 "breadth b(x) of the hull along y at each station"),
    FM_REAL_ATTR(fm_cross_flow_config, cdy, "cdy", "", 0, 10, NULL, FM_ATTR_REQUIRED,
                 "drag coefficient of flow across, along y"),
    FM_REAL_ATTR(fm_cross_flow_config, cdz, "cdz", "", 0, 10, NULL, FM_ATTR_REQUIRED,
                 "drag coefficient of flow across, along z"),
    FM_CHOICE_ATTR(fm_cross_flow_config, rule, rule_names, "rule", "gauss", 0,
                   "strip rule: gauss (two points an interval between stations), midpoint (count strips an interval), "
                   "equal (count strips of one width over the whole hull)"),
    FM_INT_ATTR(fm_cross_flow_config, count, "count", 1, 512, "8", 0,
                "strips an interval (midpoint) or in all (equal)"),
};
static const fm_element cross_flow_element =
    FM_TABLE_ELEMENT(fm_cross_flow_config, "cross-flow", cross_flow_attrs, NULL, FM_ELEMENT_ONCE,
                     "Cross-flow drag (6.47) on strips of the hull.");

static const char *const float_names[] = {"box", "cylinder", "lying-cylinder", "ellipsoid", NULL};
static const fm_attr float_attrs[] = {
    FM_CHOICE_ATTR(
        fm_float_config, shape, float_names, "shape", NULL, FM_ATTR_REQUIRED,
        "box, cylinder (standing), lying-cylinder (along x) or ellipsoid (a sphere where its axes are equal)"),
    FM_VECTOR_ATTR(fm_float_config, size, 3, "size", "m", 1e-3, 1e3, NULL, FM_ATTR_REQUIRED, "extent along x, y and z"),
    FM_VECTOR_ATTR(fm_float_config, centre, 3, "centre", "m", -1e3, 1e3, "0 0 0 m", 0,
                   "centre of the shape from the body origin"),
};
static const fm_element float_element =
    FM_TABLE_ELEMENT(fm_float_config, "float", float_attrs, NULL, 0,
                     "A shape that displaces water as far as it is submerged: surface "
                     "craft and buoys. Replaces <buoyancy>; several may be given.");

const fm_element *const fm_body_elements[] = {&mass_element,
                                              &component_element,
                                              &buoyancy_element,
                                              &added_mass_element,
                                              &added_matrix_element,
                                              &spheroid_element,
                                              &fm_hydrodynamics_element,
                                              &fm_drag_element,
                                              &cross_flow_element,
                                              &float_element,
                                              NULL};
