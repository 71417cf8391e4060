//! resolution
