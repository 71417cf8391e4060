//! (layer `report`)
#![forbid(unsafe_code)]
